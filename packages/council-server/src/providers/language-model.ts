import type { OpenAICompatibleProvider } from "@ai-sdk/openai-compatible";

/** The endpoint's name within the SDK, under which options reach it. */
export const ENDPOINT = "endpoint";

/** What every provider package of the SDK makes: one method that makes one call. */
export type LanguageModel = ReturnType<OpenAICompatibleProvider["chatModel"]>;

/** Where requests of one protocol go as they are. */
export interface Wire {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The model's name there. */
  readonly model: string;
  readonly fetch: typeof fetch;
}
