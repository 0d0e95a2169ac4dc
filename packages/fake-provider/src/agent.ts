import type { ChatRequest } from "./chat-request.ts";
import type { AgentScript, ScriptedReply } from "./script.ts";

type Calls = Extract<ScriptedReply, { kind: "tool_calls" }>["calls"];

/**
 * What the model of an agent does next: the right action of its script, or a wrong one. The step is the number of turns that the assistant
 * has had; after the last step it replies to the user.
 */
export function nextAction(script: AgentScript, request: ChatRequest, random: () => number): ScriptedReply {
  const turns = request.messages.filter(({ role }) => role === "assistant" || role === "model").length;
  const right = script.steps[turns]?.calls;
  if (!right) return { kind: "text", text: script.reply };
  if (random() < script.malformed)
    return { kind: "tool_calls", calls: right.map((call) => ({ ...call, damaged: true })) };
  const calls =
    random() < script.accuracy ? reword(script, right, random) : spoil(script, right, request, random);
  return { kind: "tool_calls", calls: script.shuffle ? shuffled(calls, random) : calls };
}

/** The same in other words, where arguments are free text. */
function reword({ free, reworded }: AgentScript, calls: Calls, random: () => number): Calls {
  return calls.map((call) => {
    if (random() >= reworded) return call;
    const input = Object.entries(call.input).map(([name, value]) =>
      free.includes(name) && typeof value === "string"
        ? [name, `${pick(BEFORE, random)}${value}${pick(AFTER, random)}`]
        : [name, value],
    );
    return { ...call, input: Object.fromEntries(input) };
  });
}

const BEFORE = ["", "Please ", "Now ", "Next: ", "So, ", "First of all, ", "Again: ", "OK, "];
const AFTER = [
  "",
  ", carefully",
  " (as asked)",
  " now",
  ", for the user",
  " at once",
  ", as planned",
  " then",
];

/** Another tool of those that are offered, or another argument. */
function spoil({ error }: AgentScript, calls: Calls, request: ChatRequest, random: () => number): Calls {
  const [first, ...rest] = calls;
  const others = toolNames(request).filter((name) => name !== first!.tool);
  const wrongTool = others.length > 0 && (error === "tool" || (error === "either" && random() < 0.5));
  if (wrongTool) return [{ ...first!, tool: pick(others, random) }, ...rest];
  const entries = Object.entries(first!.input);
  const [name, value] = entries[Math.floor(random() * entries.length)] ?? ["unexpected", ""];
  const off = 1 + Math.floor(random() * 3);
  const wrong = typeof value === "number" ? value + off : `${value}-${off}`;
  return [{ ...first!, input: { ...first!.input, [name]: wrong } }, ...rest];
}

/** Tools as each protocol lists them. */
function toolNames({ tools }: ChatRequest): string[] {
  return (tools ?? []).flatMap((tool) => {
    const {
      name,
      function: declared,
      functionDeclarations,
    } = tool as {
      name?: string;
      function?: { name: string };
      functionDeclarations?: { name: string }[];
    };
    return functionDeclarations?.map((one) => one.name) ?? [declared?.name ?? name ?? ""];
  });
}

const pick = <T>(from: readonly T[], random: () => number): T => from[Math.floor(random() * from.length)]!;

function shuffled<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => [random(), value] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, value]) => value);
}
