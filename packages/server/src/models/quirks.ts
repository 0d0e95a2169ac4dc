import type { ModelRequest } from "@mci-ts/council";
import { APICallError } from "ai";

/** How one model wants to be asked. */
export interface Habits {
  readonly structured: "schema" | "text";
  readonly temperature: boolean;
}

/**
 * What "OpenAI-compatible" leaves open, learnt per model from its refusals: whether it takes a JSON schema, a temperature, and
 * which name it has for the token limit.
 */
export class Quirks {
  readonly #structured: "auto" | "schema" | "text";
  readonly #learnt = new Set<string>();
  readonly #notJson = new Map<string, number>();

  constructor(structured: "auto" | "schema" | "text" = "auto") {
    this.#structured = structured;
  }

  of(request: ModelRequest): Habits {
    const inWords = this.#structured === "text" || this.#learnt.has(schemaKey(request));
    return {
      structured: inWords ? "text" : "schema",
      temperature: !this.#learnt.has(`temperature ${request.model}`),
    };
  }

  /** Whether the model wants `max_completion_tokens` where others want `max_tokens`. */
  renamesMaxTokens(model: string): boolean {
    return this.#learnt.has(`max_tokens ${model}`);
  }

  /** True when the refusal taught something new, so that asking again can help. */
  learn(request: ModelRequest, error: unknown): boolean {
    if (!APICallError.isInstance(error) || (error.statusCode !== 400 && error.statusCode !== 422))
      return false;
    const said = `${error.message} ${error.responseBody ?? ""}`;
    const key = /max_completion_tokens/.test(said)
      ? `max_tokens ${request.model}`
      : /temperature/i.test(said)
        ? `temperature ${request.model}`
        : request.schema &&
            this.#structured === "auto" &&
            /response_format|json_schema|structured.output/i.test(said)
          ? schemaKey(request)
          : undefined;
    if (key === undefined || this.#learnt.has(key)) return false;
    this.#learnt.add(key);
    return true;
  }

  /** Some endpoints ignore the schema without a word: after two answers that are no JSON at all, ask in words. */
  heard(request: ModelRequest, habits: Habits, text: string): void {
    if (!request.schema || habits.structured !== "schema" || this.#structured !== "auto") return;
    const key = schemaKey(request);
    const strikes = text === "" || /^\s*[[{]/.test(text) ? 0 : (this.#notJson.get(key) ?? 0) + 1;
    if (strikes === 0) this.#notJson.delete(key);
    else this.#notJson.set(key, strikes);
    if (strikes >= 2) this.#learnt.add(key);
  }
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

function schemaKey(request: ModelRequest): string {
  return `schema ${request.schema?.name} ${request.model}`;
}
