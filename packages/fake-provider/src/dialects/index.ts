import { anthropic } from "./anthropic.ts";
import { chatCompletions } from "./chat-completions.ts";
import type { FakeDialect } from "./dialect.ts";
import { google } from "./google.ts";
import { deepseek, groq, mistral, openrouter, together, xai } from "./hosted.ts";
import { llamacpp, lmstudio, ollama, vllm } from "./local.ts";
import { azure, openai } from "./openai.ts";

/** How each provider behaves, as strictly as it does: written apart from the adapter's own table, so that one can test the other. */
export const FAKE_DIALECTS = {
  openai,
  azure,
  anthropic,
  google,
  openrouter,
  groq,
  together,
  deepseek,
  mistral,
  xai,
  vllm,
  llamacpp,
  ollama,
  lmstudio,
  generic: chatCompletions,
} as const satisfies Record<string, FakeDialect>;

export type DialectName = keyof typeof FAKE_DIALECTS;
export const DIALECT_NAMES = Object.keys(FAKE_DIALECTS) as [DialectName, ...DialectName[]];
