import type { Message, ModelRequest, ToolCall } from "../model.ts";
import { ANSWER_DUE, TOOLS_RULE } from "../prompts/prompts.ts";
import type { Run } from "../run.ts";
import type { CallResult } from "./client.ts";

/** Replies that may call tools before an answer is due. */
const MAX_ROUNDS = 6;
const MAX_CALLS_PER_ROUND = 8;

/** One answer of a model that may call tools first. Each reply is a call of the budget. */
export async function converse(run: Run, request: ModelRequest, signal?: AbortSignal): Promise<CallResult> {
  const { tools } = run;
  if (tools === undefined) return run.client.call(request, signal);
  const delimiter = run.question.newDelimiter();
  const rule = `${TOOLS_RULE} ${delimiter.rule}`;
  const start: readonly Message[] = request.messages.map((message, i) =>
    i === 0 && message.role === "system" ? { ...message, content: `${message.content}\n${rule}` } : message,
  );
  const exchanged: Message[] = [];
  const found: string[] = [];
  for (let round = 0; ; round++) {
    const isLast = round === MAX_ROUNDS;
    const result = await run.client.call(
      isLast
        ? // Some providers refuse tool messages without tools: the last call has neither.
          { ...request, messages: [...start, ...asMaterial(found)] }
        : { ...request, messages: [...start, ...exchanged], tools: tools.definitions },
      signal,
    );
    if (result.kind !== "reply") return result;
    const { reply } = result;
    if (reply.toolsRefused) run.notices.add(`${request.model} takes no tools, so it was offered none.`);
    const calls = (reply.toolCalls ?? []).slice(0, MAX_CALLS_PER_ROUND);
    if (isLast || calls.length === 0) return result;
    const results = await Promise.all(calls.map((call) => tools.call(call, result.call)));
    const texts = results.map((text, i) => delimiter.wrap(`result of ${calls[i]!.name}`, text));
    found.push(...texts);
    exchanged.push({ role: "assistant", content: reply.text, toolCalls: calls }, ...toMessages(calls, texts));
  }
}

const asMaterial = (found: readonly string[]): readonly Message[] => [
  { role: "user", content: `${found.join("\n\n")}\n\n${ANSWER_DUE}` },
];

const toMessages = (calls: readonly ToolCall[], texts: readonly string[]): readonly Message[] =>
  calls.map(({ id, name }, i) => ({ role: "tool", content: texts[i]!, toolCallId: id, toolName: name }));
