import { type ChatRequest, schemaOf, textOf } from "./chat-request.ts";
import { TOOLS_IN_WORDS } from "./choose-reply.ts";
import { fill } from "./fill-schema.ts";
import type { ScriptedReply } from "./script.ts";
import { STYLES, type Style } from "./styles.ts";

/** One completion as it goes over the wire. */
export interface Completion {
  readonly content: string;
  readonly finishReason: "stop" | "length" | "content_filter" | "tool_calls";
  readonly refusal?: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly CalledTool[];
  readonly usage: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly total_tokens: number;
  };
}

export interface CalledTool {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The input as JSON, where that is not damaged. */
  readonly text: string;
}

/** Replies that are completions, as opposed to those that break the transport. */
export type ContentReply = Exclude<ScriptedReply, { kind: "status" | "hang" | "cut" }>;

export function complete(reply: ContentReply, request: ChatRequest): Completion {
  const calls = callsOf(reply);
  const inWords = calls.length > 0 && !request.tools?.length && TOOLS_IN_WORDS.test(textOf(request));
  const message = inWords ? { content: wordsOf(calls) } : SAY[reply.kind](reply as never, request);
  const input = tokens(textOf(request));
  const output =
    message.outputTokens ?? tokens(message.content + (message.reasoning ?? "") + (message.refusal ?? ""));
  return {
    content: message.content,
    finishReason: message.finishReason ?? "stop",
    ...(message.refusal === undefined ? {} : { refusal: message.refusal }),
    ...(message.reasoning === undefined ? {} : { reasoning: message.reasoning }),
    ...(calls.length > 0 && !inWords ? { toolCalls: calls } : {}),
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  };
}

function callsOf(reply: ContentReply): CalledTool[] {
  if (reply.kind === "tool_call") return [{ ...reply, text: JSON.stringify(reply.input) }];
  if (reply.kind !== "tool_calls") return [];
  return reply.calls.map(({ tool, input, damaged }) =>
    damaged
      ? {
          tool,
          input: { damaged: "no argument of the tool" },
          text: `${JSON.stringify(input).slice(0, -1)},`,
        }
      : { tool, input, text: JSON.stringify(input) },
  );
}

const wordsOf = (calls: readonly CalledTool[]) =>
  JSON.stringify({ calls: calls.map(({ tool, input }) => ({ tool, arguments: input })) });

interface Said {
  readonly content: string;
  readonly finishReason?: Completion["finishReason"];
  readonly refusal?: string;
  readonly reasoning?: string;
  readonly outputTokens?: number;
}

type Say = {
  [Kind in ContentReply["kind"]]: (
    reply: Extract<ContentReply, { kind: Kind }>,
    request: ChatRequest,
  ) => Said;
};

const SAY: Say = {
  answer: ({ answer, style = "plain" }, request) => ({
    content: wrap(answer, request, style),
    ...(style === "reasoning" ? { reasoning: "Let me think about this for a while." } : {}),
  }),
  text: ({ text }) => ({ content: text }),
  tool_call: () => ({ content: "", finishReason: "tool_calls", outputTokens: 20 }),
  tool_calls: ({ calls }) => ({ content: "", finishReason: "tool_calls", outputTokens: 20 * calls.length }),
  length: (_, request) => {
    const whole = wrap("an answer that never reaches its end because the tokens run out", request);
    return { content: whole.slice(0, Math.ceil(whole.length / 2)), finishReason: "length" };
  },
  refusal: () => ({ content: "", refusal: "I can't help with that." }),
  content_filter: () => ({ content: "", finishReason: "content_filter" }),
  empty: () => ({ content: "", outputTokens: 0 }),
  reasoning_only: () => ({ content: "", reasoning: "Let me think about this for a while." }),
  malformed: () => ({ content: '{"answer": "no closing brace", "rationale": ' }),
  overlong: (_, request) => ({ content: wrap("and so on and on ".repeat(1200), request) }),
};

/** Fits the answer to what the request asks for: an object of its schema, or plain text. */
function wrap(answer: string, request: ChatRequest, style: Style = "plain"): string {
  const schema = schemaOf(request);
  return schema ? STYLES[style](JSON.stringify(fill(schema, answer, textOf(request)))) : answer;
}

/** Four characters a token: close enough for budgets and the same on every run. */
export function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}
