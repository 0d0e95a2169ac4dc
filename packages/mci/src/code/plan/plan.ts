import { createHash, randomUUID } from "node:crypto";
import { MCIClientError } from "../../errors.ts";
import { canonicalJson } from "../../load/lock/canonical-json.ts";
import type { Preview } from "../../preview.ts";

/** Writes that code asked for, in their order. Nothing of it has happened until it is committed. */
export interface Plan {
  /** Made from the digest: another content would have another id. */
  readonly id: string;
  readonly createdAt: string;
  /** The subject of the caller it was made for. Absent: its caller was not known. */
  readonly caller?: string;
  readonly entries: readonly PlanEntry[];
  /** The digest of everything above. */
  readonly digest: string;
}

export interface PlanEntry {
  /** From 1. */
  readonly number: number;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The exact request or command, secrets masked. */
  readonly request: Preview;
  /** The digest of the tool, the input and the request. */
  readonly digest: string;
  /** Sent to services that recognize a request that they have seen before. */
  readonly idempotencyKey: string;
}

/** Asked before a plan is committed. Anything but true refuses it; a string is the reason. */
export type ApprovePlan = (plan: Plan) => boolean | string | Promise<boolean | string>;

/** Collects the writes of one run. */
export class PlanBuilder {
  readonly #entries: PlanEntry[] = [];
  readonly #seed = randomUUID();

  add(tool: string, callerInput: Readonly<Record<string, unknown>>, preview: Preview): number {
    const number = this.#entries.length + 1;
    // As it will be stored: JSON has no -0, and its digest must not either.
    const { input, request } = JSON.parse(JSON.stringify({ input: callerInput, request: preview }));
    const digest = entryDigest(tool, input, request);
    this.#entries.push({ number, tool, input, request, digest, idempotencyKey: `${this.#seed}-${number}` });
    return number;
  }

  /** Undefined if nothing is to be written. */
  build(caller?: string): Plan | undefined {
    if (this.#entries.length === 0) return undefined;
    const content = {
      createdAt: new Date().toISOString(),
      ...(caller === undefined ? {} : { caller }),
      entries: this.#entries,
    };
    const digest = planDigest(content);
    return { id: planId(digest), ...content, digest };
  }
}

export function entryDigest(tool: string, input: unknown, request: Preview): string {
  return sha256({ tool, input, request });
}

/** Refuses a plan of which anything is not as it was made. */
export function checkPlan(plan: Plan, id: string): Plan {
  const isWhole =
    typeof plan === "object" &&
    plan !== null &&
    Array.isArray(plan.entries) &&
    plan.digest === planDigest(plan) &&
    plan.id === planId(plan.digest) &&
    plan.id === id &&
    plan.entries.every((entry) => entry.digest === entryDigest(entry.tool, entry.input, entry.request));
  if (isWhole) return plan;
  throw new MCIClientError("plan_changed", `The plan '${id}' is not as it was made, and is not committed.`);
}

/**
 * For people: "12 x close_issue, 3 x add_comment", then each request on a line of its own. Long requests are cut in their middle so that
 * none is left out: what is not shown could not be approved. `maxChars`: about how long the text may be.
 */
export function describePlan(plan: Plan, maxChars = 20_000): string {
  const counts = new Map<string, number>();
  for (const { tool } of plan.entries) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  const summary = [...counts].map(([tool, count]) => `${count} x ${visible(tool)}`).join(", ");
  const room = Math.max(MIN_LINE_CHARS, Math.floor(maxChars / plan.entries.length));
  const lines = plan.entries.map(
    ({ number, tool, request }) =>
      `${number}. ${shorten(visible(`${tool}: ${describeRequest(request)}`), room)}`,
  );
  return [`Plan ${plan.id}: ${summary}. Nothing was changed yet.`, ...lines].join("\n");
}

const MIN_LINE_CHARS = 100;
const MAX_LINE_CHARS = 700;

/** One line in which nothing hides: values are a model's, and could look like further lines, or turn the direction of the text. */
const visible = (text: string) =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => ESCAPES[character] ?? `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
const ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function describeRequest(request: Preview): string {
  switch (request.type) {
    case "http":
      return `${request.method} ${request.url}${request.body === undefined ? "" : ` ${request.body}`}`;
    case "cli":
      return [request.command, ...request.args].map((word) => JSON.stringify(word)).join(" ");
    case "mcp":
      return `${request.server} ${request.tool} ${JSON.stringify(request.arguments)}`;
    case "file":
      return request.path;
    default:
      return request.text;
  }
}

/** The end is shown as well: an address or a command may say there what it is about. */
function shorten(text: string, room: number): string {
  const max = Math.min(room, MAX_LINE_CHARS);
  if (text.length <= max) return text;
  const half = Math.floor(max / 2) - 15;
  return `${text.slice(0, half)} …(${text.length - 2 * half} characters)… ${text.slice(-half)}`;
}

function planDigest({ createdAt, caller, entries }: Pick<Plan, "createdAt" | "caller" | "entries">): string {
  return sha256({ createdAt, ...(caller === undefined ? {} : { caller }), entries });
}

const planId = (digest: string) => `plan-${digest.slice(0, 32)}`;

const sha256 = (value: unknown) => createHash("sha256").update(canonicalJson(value)).digest("hex");
