import type { Dialect } from "./dialect.ts";

/** Takes a schema or plain text, and refuses JSON mode. Errors are `{"error": "text"}`. */
export const lmstudio: Dialect = {
  title: "LM Studio",
  port: 1234,
  structured: ["json_schema", "prompt"],
  tokenLimit: ["max_tokens"],
};
