import type { Dialect } from "./dialect.ts";

/** A router: failures of the provider behind it may arrive inside HTTP 200, their real text in `error.metadata.raw`. */
export const openrouter: Dialect = {
  title: "OpenRouter",
  bounds: false,
  hosts: /(^|\.)openrouter\.ai$/,
  signature: ({ body }) => typeof body["provider"] === "string" && String(body["id"]).startsWith("gen-"),
  vendorPrefixedIds: true,
  reasoningField: (effort) => ({ reasoning: { effort } }),
  overloaded: {
    statuses: [529],
    words: /overloaded|provider returned error.{0,200}(429|rate)|temporarily rate-limited/i,
  },
  responses: () => true,
};
