import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../../../test/temporary-folder.ts";
import { variantOf } from "../../../../../council-eval/src/methods/variant.ts";
import { readQuestions } from "../../../../../council-eval/src/questions/questions.ts";
import { matrixOf } from "../matrix.ts";
import { newColumn, newEvaluation } from "../new-evaluation.ts";
import { readRows } from "../setup/read-rows.ts";
import type { Cell, Evaluation } from "../types.ts";
import { toCsv } from "./export-csv.ts";
import { toEvalFiles } from "./export-eval.ts";
import { toMarkdown } from "./export-markdown.ts";

function evaluated(change: Partial<Evaluation>, answer: (question: string) => string = () => "4") {
  const evaluation = newEvaluation(change);
  const { rows } = readRows(evaluation.source, "auto");
  const { asks, problems } = matrixOf(evaluation, rows);
  const cells = new Map(
    asks.map((ask): [string, Cell] => [
      ask.key,
      {
        ...{ key: ask.key, state: "answered", attempt: 0, run_id: "r", answer: answer(ask.row.id) },
        ...{
          verdict: "decided",
          votes: { "4": 3 },
          calls: 3,
          cost_usd: 0.001,
          cost_source: "prices",
          seconds: 1,
        },
      },
    ]),
  );
  return { evaluation, asks, cells, problems };
}

test("no answer becomes a formula of a spreadsheet, and numbers stay numbers", () => {
  const texts = [
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "＝1+1",
    ' "=1"',
    "-5",
    "1,5",
  ];
  const source = texts.map((_, index) => JSON.stringify({ id: String(index), prompt: "=1+1" })).join("\n");
  const { evaluation, asks, cells } = evaluated(
    { source, columns: [newColumn()] },
    (id) => texts[Number(id)]!,
  );
  const csv = toCsv(evaluation, asks, cells);
  const fields = csv.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)|\r\n/).map((field) => field.replace(/^"|"$/g, ""));
  expect(fields.filter((field) => /^[=+@\t\r\uff1d]/.test(field))).toEqual([]);
  expect(fields.filter((field) => field.startsWith("-"))).toEqual(["-5"]);
  expect(csv).toContain(`"'=cmd|' /C calc'!A0"`);
  expect(csv.startsWith("\ufeff")).toBe(true);
});

test("no answer becomes a formula where spreadsheets expect semicolons, whose cells also end inside of quotes", () => {
  const formulas = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\uff1d1+1", ' =HYPERLINK("x")', '"=1'];
  const answers = formulas.flatMap((formula) =>
    [";", "\t", "\n", "\r", ";;", '";'].map((before) => `Yes${before}${formula};`),
  );
  const source = answers
    .map((_, index) => JSON.stringify({ id: String(index), prompt: "Is it?" }))
    .join("\n");
  const { evaluation, asks, cells } = evaluated(
    { source, columns: [newColumn()] },
    (id) => answers[Number(id)]!,
  );
  const beginnings = toCsv(evaluation, asks, cells)
    .split(/[;\t\r\n]/)
    .map((cell) => cell.replace(/^[\s"]*/, ""));
  expect(beginnings.filter((cell) => /^[=+\-@\uff1d]/.test(cell))).toEqual([]);
  const list = toCsv(
    evaluation,
    asks,
    new Map([[asks[0]!.key, { ...cells.get(asks[0]!.key)!, answer: "a; b; c" }]]),
  );
  expect(list).toContain("a; b; c");
});

test("nothing in the Markdown is markup", () => {
  const { evaluation, asks, cells } = evaluated(
    { name: "# a | b", source: "x | y\n", columns: [newColumn()] },
    () => "<script>alert(1)</script> | [x](javascript:1) **b** `c`\n| d |",
  );
  const text = toMarkdown(evaluation, asks, cells);
  expect(text).not.toMatch(/(?<!\\)<script|(?<!\\)\[x|(?<!\\)\*\*b/);
  const rows = text.split("\n").filter((line) => line.startsWith("|"));
  expect(new Set(rows.slice(3).map((line) => line.match(/(?<!\\)\|/g)!.length))).toEqual(new Set([5]));
});

test("mci-council eval reads the questions, and names each as the results do", async () => {
  const lines = [
    { prompt: "What is 2 + 2?", answer: 4, id: "sum", accept: ["four"], kind: "arithmetic" },
    { context: { zebra: 1, code: "x" }, prompt: "Why?", rubric: "Says so." },
    { prompt: "No check" },
    {
      prompt: "How many?",
      schema: { type: "object", properties: { n: { type: "integer" } } },
      answer: { n: 1 },
    },
  ];
  const source = lines.map((line) => JSON.stringify(line)).join("\n");
  const columns = [
    newColumn({ model: "a" }),
    newColumn({ model: "a", method: "vote-3", settings: { vary: [], reasoning_effort: "low" } }),
    newColumn({ model: "b" }),
    newColumn({ model: "b", method: "vote-3", settings: { vary: [], reasoning_effort: "low" } }),
    newColumn({ method: "council-5" }),
  ];
  const { evaluation, asks, cells } = evaluated({ source, columns, repeats: 2 });
  const { questions, results, commands, leftOut } = await toEvalFiles(evaluation, asks, cells, "own model");
  const file = join(temporaryFolder(), "questions.jsonl");
  writeFileSync(file, questions);
  const read = readQuestions(file);
  expect(leftOut).toBe(1);
  expect(read.map(({ id }) => id)).toEqual(["sum", "line 2", "line 4"]);
  const hashes = new Map(read.map(({ id, hash }) => [id, hash]));
  const written = results
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const named = written.filter(({ question }) => question !== "line 2");
  expect(named.length).toBeGreaterThan(0);
  for (const { question, hash } of named) expect(hash).toBe(hashes.get(question));
  expect(commands).toEqual([
    `npx mci-council eval questions.jsonl --methods single --variant 'vote-3-vary-reasoning_effort-low={}' --models a,b --runs 2 --concurrency 4 --out council-eval-1`.replace(
      "={}",
      `=vote-3 {"vary":[],"reasoning_effort":"low"}`,
    ),
    "npx mci-council eval questions.jsonl --methods council-5 --models 'own model' --runs 2 --concurrency 4 --out council-eval-2",
  ]);
  const [, variant] = /--variant '([^']+)'/.exec(commands[0]!)!;
  expect(variantOf(variant!)).toMatchObject({ method: { request: { config: { k: 3, vary: [] } } } });
  expect(new Set(written.map(({ method }) => method))).toEqual(
    new Set(["single", variant!.split("=")[0], "council-5"]),
  );
});

test("prompts are filled in once, and what is missing is said", () => {
  const columns = [newColumn(), newColumn({ prompt: 1 })];
  const prompts = ["Translate {{ text }} into {{language}}.", "{{prompt}} {{constructor}}"];
  const source = '{"prompt": "p", "vars": {"text": "{{language}} $& $1", "language": "French"}}';
  const { asks, problems } = evaluated({ source, prompts, columns });
  expect(asks.map(({ prompt }) => prompt)).toEqual([
    "Translate {{language}} $& $1 into French.",
    "p {{constructor}}",
  ]);
  expect(problems).toEqual(["line 1: the prompt asks for {{constructor}}, which it lacks."]);
});

test("equal questions under other ids are asked apart; a renamed configuration keeps its answers, a changed one does not", () => {
  const evaluation = newEvaluation({ source: "same?\nsame?" });
  const keys = (change: Partial<Evaluation>) => {
    const changed = { ...evaluation, ...change };
    return matrixOf(changed, readRows(changed.source, "auto").rows).asks.map(({ key }) => key);
  };
  const before = keys({});
  expect(new Set(before).size).toBe(4);
  const [first, second] = evaluation.columns;
  expect(keys({ columns: [{ ...first!, name: "x" }, second!], repeats: 2 })).toEqual(
    expect.arrayContaining(before),
  );
  const changed = keys({ columns: [{ ...first!, settings: { vary: [] } }, second!] });
  expect(changed.filter((key) => before.includes(key)).length).toBe(2);
});
