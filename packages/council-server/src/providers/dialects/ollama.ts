import type { Dialect } from "./dialect.ts";

/** Ignores what it does not know, `max_completion_tokens` included, and cuts old messages that do not fit without a word. */
export const ollama: Dialect = {
  title: "Ollama",
  port: 11434,
  signature: ({ body }) => body["system_fingerprint"] === "fp_ollama",
  tokenLimit: ["max_tokens"],
  overloaded: { statuses: [503] },
};
