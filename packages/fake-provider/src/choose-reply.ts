import { nextAction } from "./agent.ts";
import { type ChatRequest, schemaOf } from "./chat-request.ts";
import type { Behaviour, Rule, ScriptedReply } from "./script.ts";

export interface ChosenReply {
  readonly reply: ScriptedReply;
  readonly delayMs: number;
  /** The rule that decided, if one did. */
  readonly rule?: Rule;
}

/** Decides what one request gets: the first rule that fits, or else a seeded draw from the behaviour. */
export function chooseReply(
  rules: readonly Rule[],
  behaviour: Behaviour,
  request: ChatRequest,
  text: string,
  number: number,
): ChosenReply {
  const random = randomFor(behaviour.seed, number);
  const latency = sampleLatency(behaviour, random);
  const rule = rules.find(
    (rule) =>
      (rule.model === undefined || rule.model === request.model) &&
      (rule.tools === undefined || rule.tools === Boolean(request.tools?.length)) &&
      (rule.without === undefined || !text.includes(rule.without)) &&
      (rule.contains === undefined || text.includes(rule.contains)),
  );
  if (rule) return { reply: rule.reply, delayMs: rule.delay_ms ?? latency, rule };
  return {
    reply: sampleFault(behaviour, random) ?? sampleReply(behaviour, request, text, random),
    delayMs: latency,
  };
}

function sampleLatency({ latency, stragglers }: Behaviour, random: () => number): number {
  const spread = Math.exp(latency.sigma * normal(random));
  const slow = random() < stragglers.rate ? stragglers.factor : 1;
  return latency.median_ms * spread * slow;
}

function sampleFault({ rates }: Behaviour, random: () => number): ScriptedReply | undefined {
  let left = random();
  for (const [fault, rate] of Object.entries(rates)) {
    if (left < rate) return FAULTS[fault as keyof Behaviour["rates"]];
    left -= rate;
  }
  return undefined;
}

const FAULTS: Record<keyof Behaviour["rates"], ScriptedReply> = {
  length: { kind: "length" },
  refusal: { kind: "refusal" },
  content_filter: { kind: "content_filter" },
  empty: { kind: "empty" },
  reasoning_only: { kind: "reasoning_only" },
  malformed: { kind: "malformed" },
  overlong: { kind: "overlong" },
  401: { kind: "status", status: 401 },
  429: { kind: "status", status: 429, retry_after: 0.05 },
  500: { kind: "status", status: 500 },
  hang: { kind: "hang" },
  cut: { kind: "cut", after: "request" },
};

function sampleReply(behaviour: Behaviour, request: ChatRequest, text: string, random: () => number) {
  const { agent } = behaviour;
  // A model that cannot call tools gets them in words.
  return agent && (request.tools?.length || TOOLS_IN_WORDS.test(text))
    ? nextAction(agent, request, random)
    : sampleAnswer(behaviour, request, random);
}

export const TOOLS_IN_WORDS = /\{"calls": \[\{"tool"/;

function sampleAnswer(behaviour: Behaviour, request: ChatRequest, random: () => number): ScriptedReply {
  const { truth, wrong } = answersFor(behaviour, request);
  const right = random() < behaviour.accuracy;
  const answer = right ? truth : (wrong[Math.floor(random() * wrong.length)] ?? truth);
  const paraphrased = random() < behaviour.paraphrase;
  const style = random() < behaviour.style_rate ? behaviour.style : "plain";
  return { kind: "answer", answer: paraphrased ? paraphrase(answer, random) : answer, style };
}

/** Where the request lists the choices the answers come from them: the truth if it is one, else the first in the alphabet. */
function answersFor(behaviour: Behaviour, request: ChatRequest): { truth: string; wrong: readonly string[] } {
  const choices = schemaOf(request)?.properties?.["answer"]?.enum?.filter(
    (choice) => typeof choice === "string",
  );
  if (!choices?.length) return behaviour;
  const truth =
    choices.find((choice) => choice.toLowerCase() === behaviour.truth.toLowerCase()) ??
    choices.toSorted()[0]!;
  const wrong = choices.filter((choice) => choice !== truth && choice !== "other");
  return { truth, wrong: wrong.length > 0 ? wrong : [truth] };
}

function paraphrase(answer: string, random: () => number): string {
  const forms = [
    `**${answer}**`,
    `${answer}.`,
    `"${answer}"`,
    answer.toUpperCase(),
    `The answer is ${answer}.`,
  ];
  return forms[Math.floor(random() * forms.length)]!;
}

/** Numbers in [0, 1) that depend on the seed and the request's number only: a run can be repeated exactly. */
export function randomFor(seed: number, request: number): () => number {
  let state = (seed ^ Math.imul(request + 1, 0x9e3779b1)) >>> 0;
  // mulberry32, warmed up once so that neighbouring seeds do not start alike
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  next();
  return next;
}

/** A standard normal draw (Box-Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
