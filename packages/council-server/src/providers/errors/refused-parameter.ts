import { APICallError } from "@ai-sdk/provider";
import type { ModelRequest } from "@mci-ts/council";
import type { AgentRequest } from "../../protocols/protocol.ts";
import type { Parameter, RequestShape } from "../capabilities.ts";
import type { FullDialect } from "../dialects/index.ts";
import { readErrorBody } from "./error-body.ts";
import { isContextOverflow } from "./model-error.ts";

/** A part of a request that the provider does not take. */
export interface RefusedParameter {
  readonly parameter: Parameter;
  /** Whether the error names it for certain. Words that also stand in the caller's own text prove nothing about the endpoint. */
  readonly certain: boolean;
}

interface Sign {
  /** The field at fault, as a structured error names it. */
  readonly param: RegExp;
  /** What an error says that names none. */
  readonly words: RegExp;
  /** What it must say besides, also where the field is named. */
  readonly also?: RegExp;
}

const SIGNS: Readonly<Record<Parameter, Sign>> = {
  // A limit may also be refused for its size, under either name: only "not known" asks for the other name.
  tokenLimit: {
    param: /^max(_completion)?_tokens$/,
    words: /max_(completion_)?tokens/i,
    also: /max_completion_tokens|unsupported|not supported|unrecognized|unknown|unexpected|extra|not permitted|forbidden/i,
  },
  tools: { param: /^tools?\b|^tool_choice/, words: /\btools?\b|\btool.?(use|choice|calls?)|function.?call/i },
  temperature: { param: /^temperature$/, words: /\btemperature\b/i },
  reasoning: { param: /^reasoning/, words: /reasoning.?effort|\breasoning\b|\bthinking\b/i },
  // Before the schema as a whole: without its bounds it may be taken.
  bounds: {
    param: /^(response_format|output_config|generation_?config\.response)/i,
    words: /max_?length|max_?items|number of repetitions/i,
    also: /max_?length|max_?items|number of repetitions/i,
  },
  structured: {
    param: /^(response_format|output_config|generation_?config\.response)/i,
    words:
      /response.?format|json.?(schema|mode|object)|\bschema\b|\bgrammar\b|structured.?outputs?|output_config|additionalProperties|response_?mime_?type/i,
  },
  system: {
    param: /^messages(\[0\]|\.0)\.role$/,
    words:
      /system.?(role|message|prompt|instruction)|role.{0,30}\bsystem\b|developer instruction|roles must alternate/i,
  },
};

/** Statuses under which providers refuse a parameter; some local servers fail with 500 or say 501. */
const STATUSES: readonly number[] = [400, 404, 422, 500, 501];

/** Which parameter a provider refused, if that is what happened. */
export function refusedParameter(
  error: unknown,
  request: ModelRequest,
  { shape, dialect }: { shape: RequestShape; dialect: FullDialect },
): RefusedParameter | undefined {
  if (!APICallError.isInstance(error) || !STATUSES.includes(error.statusCode ?? 0)) return undefined;
  const body = readErrorBody(error.responseBody ?? "");
  const { param, message } = body;
  if (isContextOverflow(body, dialect)) return undefined;
  const agent = request.conversation as AgentRequest | undefined;
  const theirs = [
    request.model,
    ...request.messages.map(({ content }) => content),
    // What is this long says everything.
    (agent?.bytes ?? 0) > MAX_SEARCHED_BYTES ? message : JSON.stringify(agent?.body ?? ""),
  ]
    .join("\n")
    .toLowerCase();
  for (const parameter of Object.keys(SIGNS) as Parameter[]) {
    if (!IS_SENT[parameter](request, shape)) continue;
    const sign = SIGNS[parameter];
    const match = sign.words.exec(message)?.[0];
    if (param === undefined ? match === undefined : !sign.param.test(param)) continue;
    if (sign.also && !sign.also.test(message)) continue;
    // An agent's request may be wrong in many ways that have to do with tools.
    if (parameter === "tools" && request.conversation && !dialect.noTools.test(message)) continue;
    if (
      parameter === "tokenLimit" &&
      shape.tokenLimit === "max_completion_tokens" &&
      !NOT_KNOWN.test(message)
    )
      continue;
    return { parameter, certain: param !== undefined || !theirs.includes(match!.toLowerCase()) };
  }
  return undefined;
}

/** What was not sent was not refused: the same request again would cost a call and change nothing. */
const IS_SENT: Readonly<Record<Parameter, (request: ModelRequest, shape: RequestShape) => boolean>> = {
  tokenLimit: () => true,
  tools: ({ tools, conversation }) =>
    (tools?.length ?? (conversation as AgentRequest | undefined)?.tools.length ?? 0) > 0,
  temperature: () => true,
  reasoning: ({ reasoningEffort }) => reasoningEffort !== undefined,
  bounds: ({ schema }, { bounds, structured }) =>
    bounds && structured === "json_schema" && schema?.bounded !== undefined,
  structured: ({ schema }) => schema !== undefined,
  system: ({ messages, schema }) => schema !== undefined || messages.some(({ role }) => role === "system"),
};

const NOT_KNOWN = /unsupported|not supported|unrecognized|unknown|unexpected|extra|not permitted|forbidden/i;

const MAX_SEARCHED_BYTES = 1024 * 1024;
