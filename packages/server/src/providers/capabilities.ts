import type { ModelReply, ModelRequest } from "@mci-ts/council";
import type { OptionalParameter } from "./refused-parameter.ts";

/** Answers that are no JSON at all, in a row, after which an endpoint seems to ignore the schema. */
const STRIKES = 2;
/** Answers asked for in words before the schema is tried again: a router may have found an endpoint that knows it. */
const IN_WORDS = 20;
/** Requests may name any model. */
const MAX_KNOWN = 1000;

/**
 * What "OpenAI-compatible" leaves open, learnt per model: whether it takes a JSON schema, a temperature, and which name it has for
 * the token limit. All requests go by it, so nothing that one of them says may teach it.
 */
export class Capabilities {
  readonly #structured: "auto" | "schema" | "text";
  readonly #learnt = new Set<string>();
  /** By schema and model: answers that showed that the schema is ignored, then those asked for in words. */
  readonly #ignored = new Map<string, number>();

  constructor(structured: "auto" | "schema" | "text" = "auto") {
    this.#structured = structured;
  }

  /** What to leave out of a request. */
  of(request: ModelRequest): ReadonlySet<OptionalParameter> {
    const capabilities = (["temperature", "max_tokens"] as OptionalParameter[]).filter((parameter) =>
      this.#learnt.has(key(parameter, request)),
    );
    return new Set(this.#inWords(request) ? [...capabilities, "schema"] : capabilities);
  }

  /** Whether to ask again without what was refused. */
  mayOmit(parameter: OptionalParameter, request: ModelRequest): boolean {
    return parameter !== "schema" || (request.schema !== undefined && this.#structured === "auto");
  }

  /** To be told only when a request that was refused succeeded without these: another reason for the refusal would have stayed. */
  learn(request: ModelRequest, capabilities: Iterable<OptionalParameter>): void {
    for (const parameter of capabilities)
      if (this.#learnt.size < MAX_KNOWN) this.#learnt.add(key(parameter, request));
  }

  /**
   * Some endpoints ignore the schema without a word: an answer that is no JSON at all shows that it was not enforced, whatever the
   * prompt made the model write. After two in a row they are asked in words for a while.
   */
  observe(
    request: ModelRequest,
    without: ReadonlySet<OptionalParameter>,
    { text, finishReason }: ModelReply,
  ): void {
    const about = key("schema", request);
    if (!request.schema || this.#structured !== "auto" || this.#learnt.has(about)) return;
    const count = this.#ignored.get(about) ?? 0;
    if (without.has("schema")) {
      // Then once more by schema; a single answer that ignores it is enough.
      this.#ignored.set(about, count + 1 < STRIKES + IN_WORDS ? count + 1 : STRIKES - 1);
    } else if (/^\s*[[{]/.test(text)) this.#ignored.delete(about);
    else if (finishReason === "stop" && text !== "" && this.#ignored.size < MAX_KNOWN) {
      this.#ignored.set(about, count + 1);
    }
  }

  #inWords(request: ModelRequest): boolean {
    const about = key("schema", request);
    return (
      this.#structured === "text" || this.#learnt.has(about) || (this.#ignored.get(about) ?? 0) >= STRIKES
    );
  }
}

function key(parameter: OptionalParameter, { model, schema }: ModelRequest): string {
  return `${parameter} ${parameter === "schema" ? `${schema?.name} ` : ""}${model}`;
}

/** Whether a schema is within what strict decoding accepts: every property required, nothing else allowed, at every level. */
export function isStrict(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return true;
  if (Array.isArray(schema)) return schema.every(isStrict);
  const { properties, required, additionalProperties } = schema as Record<string, unknown>;
  if (typeof properties === "object" && properties !== null) {
    const listed = new Set(Array.isArray(required) ? required : []);
    if (additionalProperties !== false || !Object.keys(properties).every((name) => listed.has(name)))
      return false;
  }
  return Object.values(schema).every(isStrict);
}
