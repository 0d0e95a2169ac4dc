import type { StrategyTool } from "../strategies/strategies.ts";
import * as patterns from "./patterns.ts";

/** One reason to pick a tool. The first rule that fits wins; a new rule is one more entry. */
interface RoutingRule {
  readonly name: string;
  readonly tool: StrategyTool;
  readonly fits: (prompt: PromptView) => boolean;
}

/** A prompt as the rules see it. */
export interface PromptView {
  /** Lower case, without accents and code blocks, one blank between words; of a long one the beginning and the end. */
  readonly text: string;
  readonly chars: number;
  readonly words: number;
  readonly questions: number;
  /** The last question in it without the sentences before; the whole text when it has none. */
  readonly question: string;
  /** As it was written, without code blocks; of a long one the beginning and the end. For scripts that have no case or blanks. */
  readonly raw: string;
  /** A code block in the prompt, or code beside it. */
  readonly hasCode: boolean;
  /** How many options it offers to choose from. */
  readonly choices: number;
}

/** What is asked for stands at the beginning or the end; the middle of a long prompt is material. */
const EDGE_CHARS = 600;
const LONG_CHARS = 400;

export function readPrompt(prompt: string, beside: { hasCode: boolean; choices: number }): PromptView {
  const prose = prompt.replace(/```[\s\S]*?(?:```|$)/g, " ");
  const edges =
    prose.length > 2 * EDGE_CHARS ? `${prose.slice(0, EDGE_CHARS)} \n ${prose.slice(-EDGE_CHARS)}` : prose;
  const text = edges
    .replace(/[？！。，：؟،]|(?<=\p{sc=Greek}) ?[;\u037e]/gu, (sign) => PUNCTUATION[sign] ?? "?")
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[\s¿¡]+/g, " ")
    .replace(/’/g, "'")
    .trim();
  return {
    text,
    raw: edges,
    chars: prompt.length,
    words: text.split(" ").length + Math.floor((edges.match(CJK)?.length ?? 0) / 2),
    questions: text.split("?").length - 1,
    question: /(?<![^.!?:])[^.!?:]*\?$/.exec(text.slice(-300))?.[0].trim() || text,
    hasCode: beside.hasCode || prompt.includes("```"),
    choices: beside.choices,
  };
}

/** Full-width and Arabic signs end sentences too. In Greek a semicolon asks. */
const PUNCTUATION: Readonly<Record<string, string>> = {
  "？": "?",
  "！": "!",
  "。": ".",
  "，": ",",
  "：": ":",
  "؟": "?",
  "،": ",",
};
const CJK = /[\u3040-\u30ff\u3400-\u9fff]/g;

/** In order: plans, then what leans to the council, then what can be voted on. What is left goes to the council. */
export const ROUTING_RULES: readonly RoutingRule[] = [
  plan("decompose", ({ raw }) => patterns.CJK_PLAN.test(raw)),
  plan("decompose", ({ text }) => patterns.DECOMPOSE.test(text)),
  plan("split", ({ text }) => patterns.SPLIT_INTO.test(text) || patterns.BREAK_DOWN.test(text)),
  plan("make", ({ text }) => patterns.MAKE_PLAN.test(text) || patterns.PLAN_THE.test(text)),
  plan("steps", ({ text }) =>
    [patterns.WHICH_STEPS, patterns.LIST_TASKS, patterns.STEP_BY_STEP].some((p) => p.test(text)),
  ),

  open("code", ({ hasCode, choices }) => hasCode && choices === 0),
  vote("fact.terse", ({ text }) => patterns.TERSE.test(text)),
  vote("choice.classify", ({ text }) => patterns.CLASSIFY.test(text)),
  vote("fact.extract", ({ text }) => patterns.EXTRACT.test(text)),
  vote("fact.compute", ({ text }) => patterns.ARITHMETIC.test(text)),
  open("long", ({ chars }) => chars > LONG_CHARS),
  vote("choice.yes_no", ({ text }) => patterns.YES_NO.test(text)),
  open("verb", ({ text }) => patterns.OPEN_VERB.test(text)),
  open("verb", ({ raw }) => patterns.CJK_OPEN.test(raw)),
  open("question", ({ question }) => patterns.OPEN_QUESTION.test(question)),
  open("subject", ({ text, questions }) => patterns.OPEN_SUBJECT.test(text) || questions > 1),

  vote("choice.options", ({ choices }) => choices >= 2),
  open("best_way", ({ text }) => patterns.OPEN_BEST.test(text)),
  open("ours", ({ text }) => patterns.OPEN_OURS.test(text)),
  vote("choice.of_material", ({ text }) => patterns.OF_MATERIAL.test(text)),
  vote("fact.bare", ({ text, questions }) => questions === 1 && patterns.BARE.test(text)),
  vote("choice.best", ({ text, words }) => patterns.BEST.test(text) && words <= 30),
  vote("fact.compute", ({ text, words }) => patterns.COMPUTE.test(text) && words <= 30),
  vote("fact.question", (p) => patterns.FACT.test(p.question) && isQuestion(p, 60)),
  vote("fact.question", ({ raw, words }) => patterns.CJK_FACT.test(raw) && words <= 40),
  vote("fact.yes_no", (p) => patterns.POLAR.test(p.text) && isQuestion(p, 25)),
  vote("fact.short_question", (p) => isQuestion(p, 12)),
  vote(
    "fact.unmarked",
    ({ text, words }) =>
      (patterns.POLAR.test(text) || patterns.FACT.test(text)) && words <= 12 && !/[.!,;:]/.test(text),
  ),
  vote("fact.lookup", ({ text, words }) => patterns.LOOKUP.test(text) && words <= 4),
];

const isQuestion = ({ text, words }: PromptView, mostWords: number) =>
  text.endsWith("?") && words <= mostWords;

function plan(name: string, fits: RoutingRule["fits"]): RoutingRule {
  return { name: `plan.${name}`, tool: "decompose_task", fits };
}

function open(name: string, fits: RoutingRule["fits"]): RoutingRule {
  return { name: `open.${name}`, tool: "consult_council", fits };
}

function vote(name: string, fits: RoutingRule["fits"]): RoutingRule {
  return { name, tool: "solve_with_voting", fits };
}
