import type { Dialect } from "./dialect.ts";

/** Ignores fields it does not know. Its grammar engine lacks a few keywords, on which it refuses the schema. */
export const vllm: Dialect = {
  title: "vLLM",
  port: 8000,
  signature: ({ body }) => "prompt_logprobs" in body || "kv_transfer_params" in body,
  refusedKeywords: ["multipleOf", "uniqueItems", "contains", "patternProperties", "propertyNames"],
  finishReasons: { repetition: "failed", abort: "failed", error: "failed" },
};
