import type { Dialect } from "./dialect.ts";

/** JSON mode only, and only with the word "json" in the prompt; its content may be empty. Sends blank lines while it waits. */
export const deepseek: Dialect = {
  title: "DeepSeek",
  bounds: false,
  hosts: /^api\.deepseek\.com$/,
  structured: ["json_object", "prompt"],
  overloaded: { statuses: [503] },
};
