import type { Dialect } from "./dialect.ts";

/** The Messages API. Structured output is `output_config.format`, or a forced tool where the SDK knows that a model lacks it. */
export const anthropic: Dialect = {
  title: "Anthropic",
  bounds: false,
  api: "anthropic",
  hosts: /^api\.anthropic\.com$/,
  structured: ["json_schema", "prompt"],
  finishReasons: {
    end_turn: "stop",
    stop_sequence: "stop",
    tool_use: "stop",
    max_tokens: "length",
    model_context_window_exceeded: "length",
    refusal: "refusal",
    pause_turn: "other",
  },
  overloaded: { statuses: [529], words: /overloaded_error/ },
};
