import type { Dialect } from "./dialect.ts";

/** Which `response_format` is accepted depends on the model; others respond 400. */
export const together: Dialect = {
  title: "Together AI",
  bounds: false,
  hosts: /^api\.together\.(xyz|ai)$/,
};
