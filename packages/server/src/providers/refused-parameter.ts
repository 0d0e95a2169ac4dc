import { APICallError } from "@ai-sdk/provider";
import type { ModelRequest } from "@mci-ts/council";

/** What some endpoints do not take, although others do. */
export type OptionalParameter = "schema" | "temperature" | "max_tokens";

interface Sign {
  /** The parameter at fault, as a structured error names it. */
  readonly param: RegExp;
  /** What an error says that names none. */
  readonly words: RegExp;
}

const SIGNS: Readonly<Record<OptionalParameter, Sign>> = {
  // The limit itself may be refused as well; only who asks for the other name wants the other name.
  max_tokens: { param: /^max_tokens$/, words: /max_completion_tokens/i },
  temperature: { param: /^temperature$/, words: /\btemperature\b/i },
  schema: { param: /^response_format\b/, words: /response_format|json_schema|structured.outputs?/i },
};

/**
 * Which parameter a provider refused, if that is what happened. Errors like to quote the request: a word that the caller's own
 * text or model name holds proves nothing, and only a parameter named as such counts then.
 */
export function refusedParameter(error: unknown, request: ModelRequest): OptionalParameter | undefined {
  if (!APICallError.isInstance(error) || (error.statusCode !== 400 && error.statusCode !== 422))
    return undefined;
  const { param, message } = readError(error.responseBody ?? "");
  const theirs = [request.model, ...request.messages.map(({ content }) => content)].join("\n");
  const isNamed = (parameter: OptionalParameter) => {
    const sign = SIGNS[parameter];
    const said = sign.words.exec(message)?.[0];
    const ownWords = said !== undefined && !theirs.toLowerCase().includes(said.toLowerCase());
    if (param === undefined) return ownWords;
    return sign.param.test(param) && (parameter !== "max_tokens" || ownWords);
  };
  return (Object.keys(SIGNS) as OptionalParameter[]).find(isNamed);
}

/** `{error: {message, param}}` as OpenAI writes it, the same without `error`, or FastAPI's list of details. */
export function readError(body: string): { param?: string; message: string } {
  const { error = parsed(body), detail } = parsed(body) as { error?: unknown; detail?: unknown };
  if (typeof error === "string") return { message: error };
  const [first] = Array.isArray(detail) ? detail : [];
  if (Array.isArray(first?.loc)) {
    return { param: first.loc.filter((at: unknown) => at !== "body").join("."), message: String(first.msg) };
  }
  const { param, message = detail } = error as { param?: unknown; message?: unknown };
  return {
    message: typeof message === "string" ? message : "",
    ...(typeof param === "string" && param !== "" ? { param } : {}),
  };
}

/** What is no object says nothing that could be relied on. */
function parsed(body: string): object {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
