import type { Dialect } from "./dialect.ts";

/** Refuses every field it does not know with 422 `extra_forbidden`. Content may be an array with `thinking` parts. */
export const mistral: Dialect = {
  title: "Mistral",
  bounds: false,
  hosts: /^api\.mistral\.ai$/,
  usageInStreams: true,
  tokenLimit: ["max_tokens"],
  overloaded: { words: /capacity exceeded|"code":\s*"?1300/i },
};
