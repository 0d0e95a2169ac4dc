import type { FinishReason } from "@mci-ts/council";

/** How a structured answer is asked for, from the surest way down. `prompt`: only the prompt says so. */
export type StructuredMode = "json_schema" | "json_object" | "prompt";
export type TokenLimitName = "max_tokens" | "max_completion_tokens";

/**
 * What one provider does differently from the others. Fields that are absent take the value of `generic`. Adding a provider is one
 * file here and one line in `index.ts`; docs/council/providers.md and the fake provider follow the same names.
 */
export interface Dialect {
  /** The name that people see: "LM Studio". */
  readonly title: string;
  /** Which SDK speaks to it. Default: chat completions. */
  readonly api?: "chat_completions" | "anthropic" | "google";
  /** Hosts that are this provider and no other. */
  readonly hosts?: RegExp;
  /** The port its server listens on by default, on this machine or in a private network. */
  readonly port?: number;
  /** Whether a response comes from it: for endpoints that neither host nor port gives away. */
  readonly signature?: (response: { headers: Headers; body: Record<string, unknown> }) => boolean;
  /** Ways to ask for structured output, tried in this order. */
  readonly structured?: readonly [StructuredMode, ...StructuredMode[]];
  /** JSON Schema keywords that make it refuse a schema; left out of what is sent, checked here all the same. */
  readonly refusedKeywords?: readonly string[];
  /** Whether it takes `maxLength` and `maxItems` in a schema, and ends a text there. Strict modes of hosted models refuse them. */
  readonly bounds?: boolean;
  /** Names of the output limit, tried in this order. */
  readonly tokenLimit?: readonly [TokenLimitName, ...TokenLimitName[]];
  /** How much a model may think: the request's field for it. */
  readonly reasoningField?: (effort: string) => Readonly<Record<string, unknown>>;
  /** Model ids hold their maker ("anthropic/claude…"): such an id belongs to this endpoint, not to the maker. */
  readonly vendorPrefixedIds?: boolean;
  /** Its key travels in this header instead of `Authorization: Bearer`. */
  readonly keyHeader?: string;
  /** The address of one model, where that is not `/chat/completions` below the base URL. */
  readonly chatUrl?: (base: URL, model: string) => string;
  /** Whether the endpoint at this address also takes OpenAI's Responses. Default: it does not. */
  readonly responses?: (base: URL) => boolean;
  /** Streams end in their usage without being asked, and asking may be refused. Default false. */
  readonly usageInStreams?: boolean;
  /** An error that says that the model cannot call tools: they are then described in words. */
  readonly noTools?: RegExp;
  /** Its own finish reasons; `failed`: the generation broke off, which is worth another attempt. */
  readonly finishReasons?: Readonly<Record<string, FinishReason | "failed">>;
  /** An error that says that the account is empty: not worth a retry. Besides HTTP 402 and `insufficient_quota`. */
  readonly outOfMoney?: RegExp;
  /** An error that says "too busy now" under another status than 429. */
  readonly overloaded?: { readonly statuses?: readonly number[]; readonly words?: RegExp };
  /** An error that says that the request does not fit the model's context. */
  readonly contextOverflow?: RegExp;
  /** Reasoning tokens are not part of `completion_tokens` and are added. */
  readonly reasoningBesideCompletion?: boolean;
}

/** The header values that `signature` and the limiter look at. */
export interface Headers {
  get(name: string): string | null | undefined;
}
