import { CouncilError } from "../errors.ts";
import { type ActConfig, matchesAny, matchesPattern } from "./act-config.ts";
import type { CompiledTool, CompiledTools, ReadCall } from "./tools.ts";

/** Which tools a sample may call. */
export type ToolChoice =
  | { readonly type: "auto" | "none" | "required" }
  | { readonly type: "tools"; readonly names: readonly string[]; readonly required: boolean };

/** How many votes each action needs, and what becomes of one that does not get them. */
export interface ActRules {
  readonly config: ActConfig;
  /** The most that any action may need. */
  readonly maxK: number;
  /** What the vote starts with: the least that any action may need. */
  readonly firstK: number;
  /** Votes that a set of calls must be ahead by; none: a reply. */
  kOf(calls: readonly ReadCall[]): number;
  isReadOnly(calls: readonly ReadCall[]): boolean;
}

export function actRules(
  config: ActConfig,
  defaultK: number,
  { byName }: CompiledTools,
  choice: ToolChoice,
): ActRules {
  const k = config.k ?? defaultK;
  const votes = Object.entries(config.k_by_tool ?? {});
  requireFewMatches(votes.length + (config.read_only?.length ?? 0), byName.size);
  const isReadOnlyTool = ({ name, readOnly }: CompiledTool) =>
    readOnly === true || matchesAny(config.read_only, name);
  const kOfTool = (tool: CompiledTool) => {
    const own = votes.find(([glob]) => matchesPattern(glob, tool.name));
    return own?.[1] ?? (isReadOnlyTool(tool) ? (config.k_read_only ?? 1) : k);
  };
  const mayCallTool = callRule(choice);
  const offered = [...byName.values()].filter(({ name }) => mayCallTool(name));
  const all = [...offered.map(kOfTool), ...(mayReply(choice) ? [k] : [])];
  return {
    config,
    maxK: Math.max(k, ...all),
    firstK: all.length === 0 ? k : Math.min(...all),
    kOf: (calls) => (calls.length === 0 ? k : Math.max(...calls.map(({ tool }) => kOfTool(tool)))),
    isReadOnly: (calls) => calls.length > 0 && calls.every(({ tool }) => isReadOnlyTool(tool)),
  };
}

/** Each pattern is compared with the name of each tool, which takes 50 ms for so many. */
const MAX_MATCHES = 50_000;

function requireFewMatches(patterns: number, tools: number): void {
  if (patterns * tools <= MAX_MATCHES) return;
  const message = `config.act has ${patterns} patterns for ${tools} tools: the product must be at most ${MAX_MATCHES}`;
  throw new CouncilError("invalid_request", message, { problems: [{ path: "config.act", message }] });
}

/** Whether a step is not voted on: there is nothing to call, or one vote decides whatever it is. */
export function isSingleCall(
  config: ActConfig,
  defaultK: number,
  tools: CompiledTools,
  choice: ToolChoice,
): boolean {
  if (config.vote === "never" || tools.byName.size === 0 || choice.type === "none") return true;
  return actRules(config, defaultK, tools, choice).maxK === 1;
}

/** Whether a tool may be called. */
export function callRule(choice: ToolChoice): (name: string) => boolean {
  if (choice.type !== "tools") return () => choice.type !== "none";
  const names = new Set(choice.names);
  return (name) => names.has(name);
}

export const mayReply = (choice: ToolChoice) =>
  choice.type !== "required" && !(choice.type === "tools" && choice.required);

/** What an action that did not win becomes. */
export const whenUndecided = ({ config }: ActRules, isReadOnly: boolean) =>
  config.undecided ?? (isReadOnly ? "leader" : "ask");
