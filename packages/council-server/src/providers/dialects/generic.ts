import type { Dialect } from "./dialect.ts";

/** Any endpoint that calls itself OpenAI-compatible: the ladders find out what it takes. */
export const generic = {
  title: "OpenAI-compatible endpoint",
  api: "chat_completions",
  structured: ["json_schema", "json_object", "prompt"],
  refusedKeywords: [],
  bounds: true,
  tokenLimit: ["max_tokens", "max_completion_tokens"],
  reasoningField: (effort) => ({ reasoning_effort: effort }),
  finishReasons: {
    stop: "stop",
    length: "length",
    tool_calls: "stop",
    function_call: "stop",
    content_filter: "content_filter",
    eos: "stop",
    end_turn: "stop",
    stop_sequence: "stop",
    model_length: "length",
    max_tokens: "length",
    error: "failed",
    abort: "failed",
    insufficient_system_resource: "failed",
  },
  noTools:
    /(not|n't|no endpoints found that) support (tools?|tool.?(use|calls?|calling)|function.?calling)|tools?( use| calls?| calling)? (is|are) not (supported|available|enabled)|tool choice requires|tools param requires|unknown (field|argument).{0,20}tools/i,
  outOfMoney:
    /insufficient_quota|insufficient.(balance|credits|funds)|enforced_spend_limit|used all available credits/i,
  overloaded: {
    statuses: [529],
    words: /overloaded|server busy|capacity exceeded|no deployments available/i,
  },
  contextOverflow:
    /context_length_exceeded|maximum context length|exceed_context_size|context (size|window|length)|prompt is too long|reduce the length of the messages|maximum number of tokens allowed|n_keep/i,
} satisfies Dialect;
