import type { Dialect } from "./dialect.ts";

/** Reasoning models refuse `max_tokens`, `temperature` and, the oldest, the system role; each error names its `param`. */
export const openai: Dialect = {
  title: "OpenAI",
  bounds: false,
  hosts: /^api\.openai\.com$/,
  // Every chat model takes the newer name; reasoning models take no other.
  tokenLimit: ["max_completion_tokens", "max_tokens"],
  responses: () => true,
};
