import type { Dialect } from "./dialect.ts";

/** Checks the JSON itself: what does not fit is HTTP 400 `json_validate_failed` with the text in `failed_generation`. */
export const groq: Dialect = {
  title: "Groq",
  bounds: false,
  hosts: /^api\.groq\.com$/,
  signature: ({ body }) => "x_groq" in body,
  // Each makes strict mode refuse the schema.
  refusedKeywords: ["minItems", "maxItems", "minLength", "maxLength", "pattern", "format"],
  tokenLimit: ["max_completion_tokens", "max_tokens"],
  overloaded: { statuses: [498, 529], words: /over capacity/i },
  responses: () => true,
};
