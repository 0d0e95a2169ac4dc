import { type CompiledAnswerSchema, compileAnswerSchema } from "../answer-schema/compile.ts";
import { SchemaError } from "../answer-schema/inline.ts";
import { CouncilError } from "../errors.ts";
import type { Conversation, ModelReply } from "../model.ts";
import { noResultError } from "../no-result.ts";
import type { RequestConfig } from "../request-config.ts";
import type { Run } from "../run.ts";
import { replyText } from "../sampling/red-flags.ts";
import { RESAMPLING_TEMPERATURE } from "../voting/run-vote.ts";
import type { Ballot } from "./ballot.ts";
import type { Action, ActionForm } from "./check-action.ts";
import { type ActRules, actRules, type ToolChoice } from "./rules.ts";
import type { CompiledTools } from "./tools.ts";

/** One step of an agent. */
export interface ActionRequest {
  readonly conversation: Conversation;
  /** What the user said last, for people and for the judge. */
  readonly prompt: string;
  readonly tools: CompiledTools;
  readonly choice: ToolChoice;
  /** Whether several calls may be made side by side. */
  readonly parallel: boolean;
  /** JSON Schema of the reply to the user. Absent: text. */
  readonly replySchema?: unknown;
  /** What the caller asks for. Default: 0 for the first sample, a little more for the others. */
  readonly temperature?: number;
  /** Tokens of one reply. Default: the settings'. */
  readonly maxOutputTokens?: number;
  readonly config?: RequestConfig;
}

/** The name of this kind of run, where strategies have the name of their tool. */
export const ACT = "act";

/** What the samples of one step share. */
export interface ActionStep {
  readonly run: Run;
  readonly request: ActionRequest;
  readonly rules: ActRules;
  readonly form: ActionForm;
  readonly tokens: { cachedInput: number; cacheWrite: number; reasoning: number };
}

/** A sample that was counted. */
export interface Sampled {
  readonly action: Action;
  readonly reply: ModelReply;
  /** Its number among the samples; the first has the lowest temperature. */
  readonly index: number;
  readonly ballot: Pick<Ballot, "skeleton" | "texts">;
}

export function openStep(run: Run, request: ActionRequest, config: ActRules["config"]): ActionStep {
  const { tools, choice, parallel, replySchema } = request;
  return {
    run,
    request,
    rules: actRules(config, run.settings.k, tools, choice),
    form: { tools, choice, parallel, ...replyForm(run, replySchema) },
    tokens: { cachedInput: 0, cacheWrite: 0, reasoning: 0 },
  };
}

/** A schema that cannot be checked in bounded time leaves a reply what it is: one ballot, whatever its words. */
function replyForm(run: Run, schema: unknown): { object?: CompiledAnswerSchema } {
  if (schema === undefined) return {};
  try {
    return { object: compileAnswerSchema(schema) };
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    run.notices.add(`The reply is not voted on as an object: its schema ${error.message}.`);
    return {};
  }
}

/** How one call ended. */
export type Drawn =
  | { readonly kind: "reply"; readonly call: number; readonly reply: ModelReply }
  | { readonly kind: "failed"; readonly reason: string; readonly fatal: boolean; readonly error: Error }
  | { readonly kind: "stopped" };

/** One sample. `asSent`: the conversation is not changed in any way. */
export async function draw(
  { run, request, tokens }: ActionStep,
  index: number,
  signal?: AbortSignal,
  asSent = false,
): Promise<Drawn> {
  const { voters, maxOutputTokens, reasoningEffort } = run.settings;
  const { temperature = 0, conversation } = request;
  const result = await run.client.call(
    {
      model: voters[index % voters.length]!,
      purpose: ACT,
      messages: [],
      conversation,
      ...(asSent ? { asSent } : {}),
      // Samples that cannot differ are not a vote.
      temperature: index === 0 ? temperature : Math.max(temperature, RESAMPLING_TEMPERATURE),
      maxOutputTokens: request.maxOutputTokens ?? maxOutputTokens,
      ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    },
    signal,
  );
  if (result.kind === "stopped") return result;
  if (result.kind === "failed") {
    const { error, fatal } = result;
    return { kind: "failed", reason: error.message, error, fatal };
  }
  const { usage, warnings = [] } = result.reply;
  tokens.cachedInput += usage.cachedInputTokens ?? 0;
  tokens.cacheWrite += usage.cacheWriteTokens ?? 0;
  tokens.reasoning += usage.reasoningTokens ?? 0;
  for (const warning of warnings) run.notices.add(warning);
  return result;
}

/** Agents shorten their conversation when they are told that it is too long. */
export function failureOf(
  run: Run,
  { error, reason }: { readonly error: Error; readonly reason: string },
): CouncilError {
  const isOverflow = "contextOverflow" in error && error.contextOverflow === true;
  if (isOverflow)
    return new CouncilError("context_length_exceeded", `prompt is too long: ${reason}`, { cause: error });
  return noResultError(run, { flagged: 0, reasons: [reason] });
}

/** For the transcript. */
export function note(run: Run, call: number, reply: ModelReply, outcome: string): void {
  const calls = (reply.toolCalls ?? []).map(
    ({ name, input }) => `${name}(${typeof input === "string" ? input : JSON.stringify(input)})`,
  );
  const text = [replyText(reply), ...calls].filter(Boolean).join("\n").slice(0, MAX_TRANSCRIPT_CHARS);
  run.transcript.note({ call, purpose: ACT, model: reply.model ?? run.settings.voter, outcome, text });
}
const MAX_TRANSCRIPT_CHARS = 4000;

/** How an action is shown; a reply by its words. */
export const labelOf = ({ text }: ModelReply, label: string | undefined) =>
  label ?? (text.slice(0, MAX_TRANSCRIPT_CHARS) || "an empty reply");
