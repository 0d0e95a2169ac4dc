import type { Dialect } from "./dialect.ts";

/** Which `response_format` is taken depends on the model; others answer 400. */
export const together: Dialect = {
  title: "Together AI",
  hosts: /^api\.together\.(xyz|ai)$/,
};
