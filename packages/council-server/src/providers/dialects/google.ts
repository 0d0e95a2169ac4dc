import type { Dialect } from "./dialect.ts";

/** The Gemini API. A blocked prompt has no candidates; a blocked answer has a reason and no parts. */
export const google: Dialect = {
  title: "Google Gemini",
  bounds: false,
  api: "google",
  hosts: /^generativelanguage\.googleapis\.com$/,
  finishReasons: {
    STOP: "stop",
    MAX_TOKENS: "length",
    SAFETY: "content_filter",
    RECITATION: "content_filter",
    BLOCKLIST: "content_filter",
    PROHIBITED_CONTENT: "content_filter",
    SPII: "content_filter",
    LANGUAGE: "other",
    OTHER: "other",
    MALFORMED_FUNCTION_CALL: "invalid_output",
    UNEXPECTED_TOOL_CALL: "invalid_output",
  },
  overloaded: { words: /model is overloaded|UNAVAILABLE/ },
};
