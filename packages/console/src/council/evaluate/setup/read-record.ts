import type { Entry, Row } from "../types.ts";

/** One line of a table: columns with these names are fields of the question, all others are variables of the prompts. */
export function readRecord(head: readonly string[], fields: readonly string[], line: number): Entry {
  if (fields.length > head.length)
    return { problem: `has ${fields.length} fields, the first line names ${head.length}` };
  const row: { -readonly [Name in keyof Row]?: Row[Name] } = {};
  const variables = new Map<string, string>();
  for (const [index, named] of head.entries()) {
    const [name, value] = [named.trim(), fields[index] ?? ""];
    const field = NAMES.get(name.toLowerCase());
    // `__expected1`, `__expected2`: as promptfoo names several checks of one row.
    if (/^__expected\d*$/i.test(name)) {
      const problem = addExpected(row, value.trim());
      if (problem !== undefined) return { problem };
    } else if (field === undefined) {
      if (name !== "") variables.set(name, value);
    } else if (value.trim() !== "") {
      row[field] = field === "prompt" ? value : value.trim();
      if (field !== "id") variables.set(name, value);
    }
  }
  if (row.prompt === undefined && variables.size === 0) return { problem: "is empty" };
  return { ...row, id: row.id ?? `line ${line}`, variables } as Row;
}

const NAMES = new Map<string, "id" | "kind" | "prompt" | "answer" | "rubric">([
  ["id", "id"],
  ["kind", "kind"],
  ["prompt", "prompt"],
  ["question", "prompt"],
  ["answer", "answer"],
  ["expected", "answer"],
  ["rubric", "rubric"],
]);

/** What a cell of promptfoo's column `__expected` says, where it can be checked here. */
function addExpected(
  row: { answer?: unknown; rubric?: string | undefined },
  value: string,
): string | undefined {
  if (value === "") return undefined;
  const [, kind, rest = ""] = /^([a-z][a-z-]{1,40}(?:\(.{0,20}?\))?):\s*(.*)$/s.exec(value) ?? [];
  if (kind === undefined || kind === "equals" || kind === "iequals")
    row.answer = kind === undefined ? value : rest;
  else if (kind === "llm-rubric" || kind === "grade") row.rubric = rest;
  else if (UNSUPPORTED.test(kind))
    return `the check ${kind} is not known here: an answer (equals) and a rubric (llm-rubric) are`;
  else row.answer = value;
  return undefined;
}

/** Checks of promptfoo that a text before a colon is taken for; any other text is an answer with a colon in it. */
const UNSUPPORTED =
  /^(not-)?(i?contains(-(any|all|json|sql|xml|html))?|icontains(-(any|all))?|regex|starts-with|javascript|python|similar|is-(json|sql|xml|html|valid.*)|levenshtein|cost|latency|rouge.*|bleu|perplexity.*|factuality|model-graded.*|answer-relevance|context-.*|fn|eval|file)(\(.*\))?$/;
