import { type CompiledAnswerSchema, compileAnswerSchema } from "./answer-schema/compile.ts";
import { type Clock, realClock } from "./clock.ts";
import { CouncilError } from "./errors.ts";
import type { EventBody, EventSink } from "./events.ts";
import type { Purpose } from "./model.ts";
import type { CouncilOptions, EquivalenceCache } from "./options.ts";
import type { AnswerForm } from "./prompts/answer-schemas.ts";
import { newDelimiter } from "./prompts/delimiter.ts";
import type { Question } from "./prompts/messages.ts";
import { type PromptSet, promptSetFor } from "./prompts/prompt-set.ts";
import type { Budget, RunRequest } from "./request-config.ts";
import { findChoices } from "./routing/choices.ts";
import { type BudgetTracker, stricterBudget, trackBudget } from "./sampling/budget.ts";
import { createModelClient, DEFAULT_RETRY, type ModelClient } from "./sampling/client.ts";
import { createSpeeds, type Speeds } from "./sampling/speeds.ts";
import { type SharedTools, shareTools } from "./sampling/tool-calls.ts";
import { resolveSettings, type Settings } from "./settings.ts";
import type { Calibration } from "./voting/calibration.ts";

/** What all stages of one run share. */
export interface Run {
  readonly question: Question;
  readonly settings: Settings;
  /** Whether the prompt asks for a fact or a choice, whichever strategy answers it. Undefined: for neither. */
  readonly direct: "fact" | "choice" | undefined;
  /** The form of the answer. Absent: text. */
  readonly answerSchema: CompiledAnswerSchema | undefined;
  /** What the request may spend: its own limits and those of the options, whichever is stricter. */
  readonly limits: Budget;
  readonly budget: BudgetTracker;
  readonly client: ModelClient;
  /** What seats and voters may call. */
  readonly tools: SharedTools | undefined;
  /** What the caller should know, found out during the run. */
  readonly notices: Set<string>;
  readonly transcript: Transcript;
  readonly clock: Clock;
  readonly random: () => number;
  readonly emit: (event: EventBody) => void;
  readonly equivalences: EquivalenceCache;
  readonly selfTests: EquivalenceCache;
  readonly redFlag: CouncilOptions["redFlag"];
  /** Output limits that were raised during the run, by model. */
  readonly outputLimits: Map<string, number>;
  readonly speeds: Speeds;
  /** Models of unknown speed that had not replied when the time for that was over. */
  readonly silentModels: Set<string>;
  readonly calibration: Calibration | undefined;
  /** Context windows that are known, by model. */
  readonly contextWindows: Map<string, number>;
  /** Whether the model may be on a slow machine. */
  readonly isLocal: (model: string) => boolean;
  /** Asks the adapter for one that is not known yet; `tokens` is an estimate of the request. */
  readonly findContextWindow: (model: string, tokens: number) => Promise<number | undefined>;
  /** How prompts are put to a model. */
  readonly promptSet: (model: string) => PromptSet;
}

/** `schema`: the answer schema, where many runs share it. Default: compiled from the request. */
export function openRun(
  request: RunRequest,
  options: CouncilOptions,
  { schema, direct }: { schema?: CompiledAnswerSchema; direct?: Run["direct"] } = {},
): Run {
  const clock = options.clock ?? realClock;
  const random = options.random ?? secureRandom;
  const { max_calls, max_tokens, max_usd, deadline_ms, answer_schema } = request.config ?? {};
  const limits = stricterBudget(options.budget ?? {}, { max_calls, max_tokens, max_usd, deadline_ms });
  const emit = numbered(clock, options.onEvent);
  emit({ type: "run.started", prompt_chars: request.prompt.length, budget: limits });
  const budget = trackBudget(limits, {
    clock,
    cancel: options.signal,
    price: options.price,
    onStop: (reason) => emit({ type: "run.stopped", reason }),
  });
  const retry = { ...DEFAULT_RETRY, ...options.retry };
  const { prompt, context, intent } = request;
  const speeds = options.speeds ?? createSpeeds();
  const settings = resolveSettings(request, options);
  const contextWindows = new Map<string, number>();
  return {
    question: {
      prompt,
      context,
      intent,
      criteria: request.config?.criteria,
      allowUnknown: request.config?.allow_unknown,
      newDelimiter: () => newDelimiter(random),
    },
    settings,
    direct,
    answerSchema: schema ?? (answer_schema && compileAnswerSchema(answer_schema)),
    limits,
    budget,
    client: createModelClient({
      ...{ model: options.model, budget, clock, random, retry, emit, speeds },
      onCall: options.onCall,
    }),
    tools: options.tools?.definitions.length
      ? shareTools(options.tools, { signal: budget.signal, clock, emit })
      : undefined,
    notices: new Set(),
    transcript: newTranscript(),
    clock,
    random,
    emit,
    equivalences: options.equivalences ?? new Map(),
    selfTests: options.selfTests ?? new Map(),
    redFlag: options.redFlag,
    outputLimits: new Map(),
    speeds,
    silentModels: new Set(),
    calibration: options.calibration,
    contextWindows,
    isLocal: (model) => options.model.isLocal?.(model) ?? false,
    async findContextWindow(model, tokens) {
      const window = await options.model.contextWindow?.(model, tokens);
      if (window !== undefined) contextWindows.set(model, window);
      return window;
    },
    promptSet: (model) => settings.prompts ?? promptSetFor(model, contextWindows.get(model)),
  };
}

/** Does the work of a run. When it fails, its calls in flight are aborted and counted, and the error says what was spent. */
export async function completeRun<T>(run: Run, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await finishCalls(run);
    if (error instanceof CouncilError) error.usage = run.budget.usage();
    const { code, message } =
      error instanceof CouncilError ? error : { code: "internal", message: String(error) };
    run.emit({ type: "run.failed", code, message });
    throw error;
  }
}

/** Aborts the calls in flight, and waits until they are counted. */
export async function finishCalls({ budget, client }: Run): Promise<void> {
  budget.close();
  await client.idle();
}

/** An object where the caller asks for one; else one of the choices that the question offers, if it does. */
export function answerForm({ answerSchema }: Run, { prompt }: Question): AnswerForm {
  return answerSchema
    ? { choices: [], object: answerSchema }
    : { choices: findChoices(prompt), question: prompt };
}

/** Numbers events and keeps a failing sink away from the run. */
function numbered(clock: Clock, sink: EventSink | undefined): (event: EventBody) => void {
  let seq = 0;
  return (event) => {
    try {
      sink?.({ ...event, seq: ++seq, at: clock.now() });
    } catch {
      // Watching a run must not break it.
    }
  };
}

/** Drawn in advance: one call for each number would take longer than the rest of a vote's set-up. */
const randomWords = new Uint32Array(256);
let next = randomWords.length;

function secureRandom(): number {
  if (next === randomWords.length) {
    crypto.getRandomValues(randomWords);
    next = 0;
  }
  return randomWords[next++]! / 2 ** 32;
}

/** Every answer as it was written, with what became of it. */
interface Transcript {
  note(entry: TranscriptEntry): void;
  print(): string;
}

interface TranscriptEntry {
  readonly call: number;
  readonly purpose: Purpose;
  readonly model: string;
  /** E.g. `accepted`, or the red flag and its reason. */
  readonly outcome: string;
  readonly text: string;
}

function newTranscript(): Transcript {
  const entries: TranscriptEntry[] = [];
  return {
    note: (entry) => void entries.push(entry),
    print: () =>
      entries
        .toSorted((a, b) => a.call - b.call)
        .map(
          ({ call, purpose, model, outcome, text }) => `[#${call} ${purpose} ${model}: ${outcome}]\n${text}`,
        )
        .join("\n\n"),
  };
}
