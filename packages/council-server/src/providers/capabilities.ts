import type { ModelReply, ModelRequest } from "@mci-ts/council";
import type { StructuredMode, TokenLimitName } from "./dialects/dialect.ts";
import type { FullDialect } from "./dialects/index.ts";

/** How a request is put: each field is a ladder that is stepped down when the provider refuses it. */
export interface RequestShape {
  /** How structured output is asked for. */
  readonly structured: StructuredMode;
  /** Whether the schema says how long texts may be. */
  readonly bounds: boolean;
  readonly temperature: boolean;
  /** The name of the output limit; `none`: no limit is sent. */
  readonly tokenLimit: TokenLimitName | "none";
  /** Whether the system message has its own role; else it opens the first user message. */
  readonly system: boolean;
  readonly reasoning: boolean;
  /** Whether the model can call tools. */
  readonly tools: boolean;
}
export type Parameter = keyof RequestShape;

/** What a model does not accept. Structured output is recorded per schema: a model may refuse one and accept another. */
export interface LearnedLimits extends Partial<Omit<RequestShape, "structured">> {
  readonly structured?: Readonly<Record<string, StructuredMode>>;
  /** When the last of them was recorded, in milliseconds since 1970. */
  readonly at: number;
}

export interface CapabilitiesOptions {
  /** `schema` never steps down, `text` starts at the bottom. Default `auto`. */
  readonly structured?: "auto" | "schema" | "text";
  /** What earlier requests showed, by endpoint and model. */
  readonly limits?: ReadonlyMap<string, LearnedLimits>;
  /** Called with all of them after each change. */
  readonly save?: (limits: ReadonlyMap<string, LearnedLimits>) => void;
  readonly now?: () => number;
}

/** Replies without any JSON, in a row, after which an endpoint seems to ignore the schema. */
const STRIKES = 2;
/** Replies that are asked for in the prompt before the schema is tried again: a router may have chosen an endpoint that supports it. */
const PROMPT_REPLIES = 20;
/** Requests may name any model. */
const MAX_MODELS = 1000;
/** Providers change: a limit is tested again after a week. */
export const LIMITS_TTL_MS = 7 * 86_400_000;

/**
 * What "OpenAI-compatible" leaves open, learned per endpoint and model. All requests depend on it, so no single request may decide
 * it: a limit is recorded only when the refused request succeeded without the refused parameter.
 */
export class Capabilities {
  readonly #options: CapabilitiesOptions;
  readonly #now: () => number;
  readonly #limits: Map<string, LearnedLimits>;
  /** By model and schema: replies that showed that the schema is ignored, then those that were asked for in the prompt. */
  readonly #ignored = new Map<string, number>();

  constructor(options: CapabilitiesOptions = {}) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#limits = new Map(options.limits);
  }

  /** How to put a request to a model. */
  shapeOf(key: string, { schema }: ModelRequest, dialect: FullDialect): RequestShape {
    const { structured = {}, at, ...limits } = this.#limitsOf(key);
    const best = dialect.structured[0];
    const ignored = (this.#ignored.get(`${key} ${schema?.name}`) ?? 0) >= STRIKES;
    const mode = schema && Object.hasOwn(structured, schema.name) ? structured[schema.name]! : best;
    return {
      structured:
        this.#options.structured === "text" || ignored
          ? "prompt"
          : this.#options.structured === "schema"
            ? "json_schema"
            : dialect.structured.includes(mode)
              ? mode
              : best,
      bounds: dialect.bounds,
      temperature: true,
      tokenLimit: dialect.tokenLimit[0],
      system: true,
      reasoning: true,
      tools: true,
      ...limits,
    };
  }

  /** The next rung of one ladder; undefined at its foot, or where the settings forbid the step. */
  stepDown(shape: RequestShape, parameter: Parameter, dialect: FullDialect): RequestShape | undefined {
    if (parameter === "structured") {
      if ((this.#options.structured ?? "auto") !== "auto") return undefined;
      const next = dialect.structured[dialect.structured.indexOf(shape.structured) + 1];
      return next && { ...shape, structured: next };
    }
    if (parameter === "tokenLimit") {
      if (shape.tokenLimit === "none") return undefined;
      const next = dialect.tokenLimit[dialect.tokenLimit.indexOf(shape.tokenLimit) + 1] ?? "none";
      return { ...shape, tokenLimit: next };
    }
    return shape[parameter] ? { ...shape, [parameter]: false } : undefined;
  }

  /** To be called only when a request that was refused succeeded in this shape: another reason for the refusal would have stayed. */
  learn(
    key: string,
    { schema }: ModelRequest,
    shape: RequestShape,
    parameters: ReadonlySet<Parameter>,
  ): void {
    if (parameters.size === 0 || (this.#limits.size >= MAX_MODELS && !this.#limits.has(key))) return;
    const { structured, ...before } = this.#limitsOf(key);
    const { structured: mode, ...rest } = shape;
    const own = Object.fromEntries(
      Object.entries(rest).filter(([name]) => parameters.has(name as Parameter)),
    );
    this.#limits.set(key, {
      ...before,
      ...own,
      at: this.#now(),
      ...(schema && parameters.has("structured")
        ? { structured: { ...structured, [schema.name]: mode } }
        : structured && { structured }),
    });
    this.#options.save?.(this.#limits);
  }

  /**
   * Some endpoints ignore the schema without a word: a reply without any JSON shows that it was not enforced, whatever the prompt
   * made the model write. After two in a row the schema stands in the prompt for a while.
   */
  observe(key: string, { schema }: ModelRequest, shape: RequestShape, reply: ModelReply): void {
    if (!schema || (this.#options.structured ?? "auto") !== "auto") return;
    const about = `${key} ${schema.name}`;
    const count = this.#ignored.get(about) ?? 0;
    if (shape.structured === "prompt") {
      // Then once more by schema; a single reply that ignores it is enough.
      if (count > 0) this.#ignored.set(about, count + 1 < STRIKES + PROMPT_REPLIES ? count + 1 : STRIKES - 1);
    } else if (ignoresSchema(reply)) {
      if (this.#ignored.size < MAX_MODELS) this.#ignored.set(about, count + 1);
    } else if (reply.finishReason === "stop") this.#ignored.delete(about);
  }

  #limitsOf(key: string): LearnedLimits {
    const limits = this.#limits.get(key);
    return limits && limits.at > this.#now() - LIMITS_TTL_MS ? limits : { at: 0 };
  }
}

/** The provider's own verdict, or an answer that was finished and holds no JSON at all. Empty: JSON mode lost it. */
function ignoresSchema({ text, finishReason }: ModelReply): boolean {
  return finishReason === "invalid_output" || (finishReason === "stop" && !/[[{]/.test(text));
}

/** Whether a schema is within what strict decoding accepts: every property required, nothing else allowed, at every level. */
export function isStrict(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return true;
  const known = strictness.get(schema);
  if (known !== undefined) return known;
  const strict = isStrictWithin(schema);
  strictness.set(schema, strict);
  return strict;
}

/** All calls of a vote, and of the steps of a task, send the same schema. */
const strictness = new WeakMap<object, boolean>();

function isStrictWithin(schema: object): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  const { properties, required, additionalProperties } = schema as Record<string, unknown>;
  if (typeof properties === "object" && properties !== null) {
    const listed = new Set(Array.isArray(required) ? required : []);
    if (additionalProperties !== false || !Object.keys(properties).every((name) => listed.has(name)))
      return false;
  }
  return Object.values(schema).every(isStrict);
}
