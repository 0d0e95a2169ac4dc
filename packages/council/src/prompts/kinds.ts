import type { RequestContext } from "../request-config.ts";

/** What sort of work a request asks for; each gets its own instructions. */
export type KindOfWork = "decision" | "code_review" | "code" | "writing" | "analysis";

interface Instructions {
  /** What a seat is to do. */
  readonly seat: string;
  /** What the judge's decision is. */
  readonly decision: string;
  /** Seats of one model think alike; looking from different sides makes their agreement worth more. */
  readonly perspectives: readonly [string, ...string[]];
}

export const INSTRUCTIONS: Readonly<Record<KindOfWork, Instructions>> = {
  decision: {
    seat: "Recommend one course: what to do, why, what speaks against it, and when you would choose otherwise.",
    decision: "It recommends one course and says why.",
    perspectives: [
      "the request as a whole",
      "simplicity and cost",
      "risks, security and what happens when things fail",
      "the long run: maintenance, growth, ways back",
      "facts and assumptions that others may overlook",
    ],
  },
  code_review: {
    seat: "Review the code: defects first, each with its place and a fix, then what to improve, then what is good.",
    decision: "It lists the confirmed defects with their places and fixes, the worst first.",
    perspectives: [
      "the code as a whole",
      "correctness and edge cases",
      "security and hostile input",
      "simplicity and readability",
      "failures, concurrency and resources",
    ],
  },
  code: {
    seat: "Solve it: give complete, working code, then say briefly how it works and which cases you checked.",
    decision: "It contains the complete, working code.",
    perspectives: [
      "the request as a whole",
      "correctness and edge cases",
      "simplicity and readability",
      "errors and hostile input",
      "performance",
    ],
  },
  writing: {
    seat: "Write the requested text itself, ready to use, in the language, tone and length it asks for.",
    decision: "It is the finished text itself, without remarks about it.",
    perspectives: [
      "the request as a whole",
      "the reader: what they know and want",
      "clarity and structure",
      "tone and style",
      "facts and completeness",
    ],
  },
  analysis: {
    seat: "Work it out: the facts, what follows from them, how certain each step is, and your conclusion.",
    decision: "It states the conclusion, the reasons, and how certain they are.",
    perspectives: [
      "the request as a whole",
      "the evidence, and what would disprove it",
      "other explanations",
      "numbers, definitions and assumptions",
      "consequences",
    ],
  },
};

export function kindOfWork(
  { prompt, context, intent }: { prompt: string; context?: RequestContext; intent?: string },
  choices: readonly string[],
): KindOfWork {
  if (intent === "code_review") return "code_review";
  // What is asked for stands at the beginning or the end; the rest is material.
  const text = `${prompt.slice(0, 400)}\n${prompt.slice(-400)}`;
  const hasCode = prompt.includes("```") || Boolean(context?.code);
  if (hasCode && REVIEW.test(text)) return "code_review";
  if (choices.length > 0 || DECIDE.test(text)) return "decision";
  if (CODE.test(text)) return "code";
  if (WRITE.test(text)) return "writing";
  if (hasCode) return "code";
  return intent === "decision" ? "decision" : "analysis";
}

/** In the languages of the router. Words that may be part of longer ones stand between non-letters. */
const word = (source: string) => new RegExp(String.raw`(?<!\p{L})(?:${source})(?!\p{L})`, "iu");
const or = (...patterns: readonly RegExp[]) => ({
  test: (text: string) => patterns.some((pattern) => pattern.test(text)),
});

const REVIEW = or(
  word(
    "review|critique|audit|find (?:the |any )?(?:bugs?|defects?)|what(?:'s| is) wrong|revise|revisar?|revisa|analise o código|überprüfe|prüfe|relis|relisez|vérifie",
  ),
  /レビュー|审查|審查|检查代码/,
);
const DECIDE = or(
  word(
    "should (?:i|we|you|they|my|our)|which (?:one|of)|decide|choose|recommend|worth it|better to|devo|devemos|vale a pena|escolher|decidir|debo|debemos|deber[ií]amos|elegir|recomiendas|sollen wir|soll ich|sollten wir|empfiehlst|entscheiden|lohnt es sich|devrais-je|devons-nous|faut-il|choisir|conseilles",
  ),
  /べき(?:です|でしょう|か)|どちら|おすすめ|应该|應該|推荐|推薦|选择哪/,
);
const CODE = or(
  word(
    "implement|refactor|write (?:an? |the |some )?(?:\\w+ ){0,3}(?:functions?|class|script|query|program|code|regex|test|tests|component|endpoint|parser|hook)|fix (?:this|the|my) (?:\\w+ ){0,2}(?:bug|code|function|error|test)|implemente|implementa|refatore|refactoriza|implementiere|implémente|écris une fonction|escreva uma função|escribe una función|schreibe eine funktion",
  ),
  /実装|関数を書|コードを書|实现|編寫|编写(?:一个)?(?:函数|代码|程序)/,
);
const WRITE = or(
  word(
    "write|draft|rewrite|rephrase|translate|compose|summari[sz]e|proofread|escreva|redija|reescreva|traduza|resuma|escribe|redacta|reescribe|traduce|resume|schreibe?|verfasse|übersetze|formuliere|fasse|écris|écrivez|rédige|rédigez|traduis|traduisez|résume|résumez",
  ),
  /書いて|翻訳して|要約して|写一|寫一|翻译|翻譯|总结|總結|改写/,
);
