import type { Dialect } from "./dialect.ts";

/** Two error envelopes, and reasoning tokens that are counted beside the completion. */
export const xai: Dialect = {
  title: "xAI",
  bounds: false,
  hosts: /^api\.x\.ai$/,
  reasoningBesideCompletion: true,
  responses: () => true,
};
