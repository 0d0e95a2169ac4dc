import type { Dialect } from "./dialect.ts";

/** Turns a schema into a grammar; a chat template that knows no system role fails with HTTP 500. */
export const llamacpp: Dialect = {
  title: "llama.cpp server",
  port: 8080,
  signature: ({ headers, body }) => headers.get("server") === "llama.cpp" || "timings" in body,
  // An unanchored pattern becomes "any string", silently.
  refusedKeywords: ["pattern"],
  overloaded: { statuses: [503] },
};
