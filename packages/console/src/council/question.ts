import type { Run } from "@mci-ts/council-server/api";

/** The ask form's fields, as typed. */
export interface Question {
  readonly prompt: string;
  readonly intent: string;
  readonly preset: string;
  readonly k: string;
  readonly voters: string;
  readonly models: string;
  readonly judgeModel: string;
  readonly criteria: string;
  readonly peerRanking: boolean;
  readonly answerSchema: string;
  readonly maxCalls: string;
  readonly maxUsd: string;
  readonly context: string;
  readonly instructions: string;
  readonly maxSamples: string;
  readonly cheapFirst: boolean;
  /** What is tried after a vote without a winner, separated by commas. */
  readonly escalate: string;
  /** What the samples of a vote differ in; "none": nothing. */
  readonly vary: string;
  readonly reasoningEffort: string;
  readonly useCache: boolean;
}

export const EMPTY_QUESTION: Question = {
  prompt: "",
  intent: "",
  preset: "",
  k: "",
  voters: "",
  models: "",
  judgeModel: "",
  criteria: "",
  peerRanking: false,
  answerSchema: "",
  maxCalls: "",
  maxUsd: "",
  context: "",
  instructions: "",
  maxSamples: "",
  cheapFirst: false,
  escalate: "",
  vary: "",
  reasoningEffort: "",
  useCache: false,
};

/** The body of `POST /mcp/model`. What was left empty is left out, so that the service's defaults apply. */
export function toRequest(question: Question): {
  readonly prompt: string;
  readonly intent?: string;
  readonly context?: Readonly<Record<string, unknown>>;
  readonly config?: Readonly<Record<string, unknown>>;
} {
  // What a tab stored before an update of the service may lack fields.
  const whole = { ...EMPTY_QUESTION, ...question };
  const { prompt, intent, context: code, instructions } = whole;
  const config = toConfig(whole);
  const context = {
    ...(code.trim() === "" ? {} : { code }),
    ...(instructions.trim() === "" ? {} : { instructions }),
  };
  return {
    prompt,
    ...(intent === "" ? {} : { intent }),
    ...(Object.keys(context).length === 0 ? {} : { context }),
    ...(Object.keys(config).length === 0 ? {} : { config }),
  };
}

function toConfig(question: Question): Record<string, unknown> {
  const { preset, k, voters, judgeModel, peerRanking, answerSchema, maxCalls, maxUsd, useCache } = question;
  const { maxSamples, cheapFirst, escalate, vary, reasoningEffort } = question;
  const models = list(question.models, ",");
  const criteria = list(question.criteria, "\n");
  return {
    ...(preset.trim() === "" ? {} : { preset: preset.trim() }),
    ...(k.trim() === "" ? {} : { k: k.trim() === "auto" ? "auto" : Number(k) }),
    ...(voters === "" ? {} : { num_voters: Number(voters) }),
    ...(models.length === 1 ? { model: models[0] } : models.length > 1 ? { models } : {}),
    ...(judgeModel.trim() === "" ? {} : { judge_model: judgeModel.trim() }),
    ...(criteria.length === 0 ? {} : { criteria }),
    ...(peerRanking ? { peer_ranking: true } : {}),
    ...(answerSchema.trim() === "" ? {} : { answer_schema: JSON.parse(answerSchema) }),
    ...(maxSamples === "" ? {} : { max_samples: Number(maxSamples) }),
    ...(cheapFirst ? { cheap_first: true } : {}),
    ...(escalate.trim() === "" ? {} : { escalate: list(escalate, ",") }),
    ...(vary === "" ? {} : { vary: vary === "none" ? [] : list(vary, ",") }),
    ...(reasoningEffort === "" ? {} : { reasoning_effort: reasoningEffort }),
    ...(maxCalls === "" ? {} : { max_calls: Number(maxCalls) }),
    ...(maxUsd === "" ? {} : { max_usd: Number(maxUsd) }),
    ...(useCache ? { cache: "allow" } : {}),
  };
}

/** What keeps the question from being asked; the service checks the rest. */
export function problemOf({ answerSchema }: Question): string | undefined {
  if (answerSchema.trim() === "") return undefined;
  try {
    JSON.parse(answerSchema);
    return undefined;
  } catch (error) {
    return `The answer schema is not JSON: ${(error as Error).message}`;
  }
}

/** The form as it was filled in for an earlier run. */
export function toQuestion({ prompt, request }: Run): Question {
  const { intent = "", config = {}, context } = request ?? {};
  const { code, instructions } = context ?? {};
  const text = (value: unknown) => (value === undefined ? "" : String(value));
  return {
    ...EMPTY_QUESTION,
    prompt: request?.prompt ?? prompt,
    intent,
    preset: text(config.preset),
    k: text(config.k),
    voters: text(config.num_voters),
    models: (config.models ?? (config.model === undefined ? [] : [config.model])).join(", "),
    judgeModel: text(config.judge_model),
    criteria: (config.criteria ?? []).join("\n"),
    peerRanking: config.peer_ranking ?? false,
    answerSchema:
      config.answer_schema === undefined ? "" : JSON.stringify(config.answer_schema, undefined, 2),
    maxCalls: text(config.max_calls),
    maxUsd: text(config.max_usd),
    context: typeof code === "string" ? code : "",
    instructions: typeof instructions === "string" ? instructions : "",
    maxSamples: text(config.max_samples),
    cheapFirst: config.cheap_first ?? false,
    escalate: (config.escalate ?? []).join(", "),
    vary: config.vary === undefined ? "" : config.vary.length === 0 ? "none" : config.vary.join(","),
    reasoningEffort: text(config.reasoning_effort),
  };
}

function list(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((entry) => entry.trim())
    .filter(Boolean);
}
