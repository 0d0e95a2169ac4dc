import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { cpuMs, slowness } from "../../../../test/cpu-time.ts";
import { route } from "./router.ts";

type Labelled = Record<string, string[]>;
const labelled: { tuning: Labelled; heldOut: Labelled; fresh: Labelled } = JSON.parse(
  readFileSync(new URL("../../test/data/routing.json", import.meta.url), "utf8"),
);

test.each([
  ["decision", "consult_council"],
  ["code_review", "consult_council"],
  ["decomposition", "decompose_task"],
  ["validation", "solve_with_voting"],
] as const)("[R-intent] the intent %s goes to %s, whatever the prompt says", (intent, tool) => {
  expect(route({ prompt: "Decompose the task: is it A or B?", intent })).toEqual({
    tool,
    by: "intent",
    rule: intent,
  });
});

test.each([
  ["Decompose the task: 'Create a user login system'", "decompose_task", "plan.decompose"],
  ["divide into steps the release of version 2", "decompose_task", "plan.split"],
  ["create a plan for the release of version 2", "decompose_task", "plan.make"],
  ["What's the best library for parsing dates?", "solve_with_voting", "choice.best"],
  ["Use A or B?", "solve_with_voting", "choice.options"],
  [
    "For date manipulation in JS, is it better to use 'moment.js' or 'date-fns' in a new project in 2025?",
    "solve_with_voting",
    "choice.options",
  ],
  ["What is the capital of Chile?", "solve_with_voting", "fact.question"],
  ["Review this code", "consult_council", "open.verb"],
  ["Our releases are painful.", "consult_council", "default"],
])("[R-rule] %j goes to %s and says that %s fired", (prompt, tool, rule) => {
  expect(route({ prompt })).toEqual({ tool, by: "inference", rule });
});

test.each([
  ["Classify the sentiment of this review as positive or negative: The food was cold.", "choice.classify"],
  ["Label this ticket as bug, feature or question: why does the app crash?", "choice.classify"],
  ["Extract the invoice number from: Invoice 4711 of 3 May.", "fact.extract"],
  ["Extract all e-mail addresses in this text: ask a@b.example why", "fact.extract"],
  ["A train goes 60 km in 45 minutes. How fast is it? Answer with the number only.", "fact.terse"],
  ["Answer with one word: what is the capital of France", "fact.terse"],
  ["Is a tomato a fruit or a vegetable", "fact.unmarked"],
  ["Is Redis or Postgres faster?", "choice.options"],
  ["What is 17 * 23?", "fact.compute"],
  ["17*23", "fact.compute"],
  ["How many r are in strawberry", "fact.unmarked"],
])("[R-rule] %j is a vote, because of %s", (prompt, rule) => {
  expect(route({ prompt })).toEqual({ tool: "solve_with_voting", by: "inference", rule });
});

test.each([
  "Explain how to classify images",
  "Classify images: which approach should we take and why?",
  "How can I extract tables from PDFs?",
  "Extract the payment service into a module of its own",
  "Answer the customer's complaint with empathy",
])("[R-rule] %j is not", (prompt) => {
  expect(route({ prompt }).tool).toBe("consult_council");
});

test("[R-rule] code beside a question leans to the council, unless the question offers a choice", () => {
  const context = { code: "let x = 1" };
  expect(route({ prompt: "Is it correct?", context }).tool).toBe("consult_council");
  expect(route({ prompt: "Use let or const?", context }).tool).toBe("solve_with_voting");
});

test("[R-rule] a block of code or a long text leans to the council, though it ends in a question; a plan is a plan", () => {
  const question = "Is it correct?";
  const block = ["```js", "let x = 1", "```"].join("\n");
  const story = "The service was slow on Monday and we looked at its logs. ".repeat(10);
  const routed = (prompt: string) => [route({ prompt }).tool, route({ prompt }).rule];
  expect(routed(question)[0]).toBe("solve_with_voting");
  expect(routed(`${block}\n${question}`)).toEqual(["consult_council", "open.code"]);
  expect(routed(story + question)).toEqual(["consult_council", "open.long"]);
  expect(routed(`${story}Create a plan for the repair.`)[0]).toBe("decompose_task");
});

describe("[R-accuracy] on labelled prompts", () => {
  const measured = (part: Labelled) => {
    const all = Object.entries(part).flatMap(([tool, prompts]) =>
      prompts.map((prompt) => ({ tool, prompt, got: route({ prompt }) })),
    );
    const wrong = all.filter(({ tool, got }) => got.tool !== tool);
    return { count: all.length, accuracy: 1 - wrong.length / all.length, wrong };
  };
  const tuning = measured(labelled.tuning);
  const heldOut = measured(labelled.heldOut);
  const fresh = measured(labelled.fresh);

  test("there are at least 200 of them", () => {
    expect(tuning.count + heldOut.count + fresh.count).toBeGreaterThanOrEqual(200);
  });

  test("those the rules were written with are nearly all routed right", () => {
    report("tuning", tuning);
    expect(tuning.accuracy).toBeGreaterThanOrEqual(0.97);
  });

  test("those written before the rules, and never tuned for, are mostly routed right", () => {
    report("held out", heldOut);
    expect(heldOut.accuracy).toBeGreaterThanOrEqual(0.95);
  });

  test("those written after the rules, and never tuned for, are mostly routed right", () => {
    report("fresh", fresh);
    expect(fresh.accuracy).toBeGreaterThanOrEqual(FRESH_FLOOR);
  });
});
const FRESH_FLOOR = 0.9;

function report(
  part: string,
  { count, accuracy, wrong }: { count: number; accuracy: number; wrong: object[] },
): void {
  console.log(`routing, ${part}: ${(100 * accuracy).toFixed(1)} % of ${count}, ${wrong.length} wrong`);
  if (process.env["SHOW_MISSES"] === part) console.log(wrong);
}

test("[R-fast] a prompt of 10 kB is routed in a moment, hostile ones too; the benchmark has the figures", () => {
  const fill = (text: string) => text.repeat(Math.ceil(10_000 / text.length)).slice(0, 10_000);
  const prompts = [
    "lorem ipsum ",
    "break ",
    "divide into ",
    "create a plan ",
    "what or ",
    "'a' or ",
    "```",
    "?",
    " ",
    "a",
    "é",
    "x vs y ",
    "は、と",
    "、还是",
    "。用と和",
    "制定",
    "列做写",
    " ?",
    "welche ",
    "quelles sont les ",
  ].map(fill);
  for (const prompt of prompts) {
    // The best of several rounds is the code's own time; the others are the machine's. A pattern that takes quadratic time
    // needs far more than the limit.
    const times = Array.from({ length: 30 }, () => {
      const started = cpuMs();
      route({ prompt });
      return cpuMs() - started;
    });
    expect(Math.min(...times), JSON.stringify(prompt.slice(0, 20))).toBeLessThan(10 * slowness());
  }
});
