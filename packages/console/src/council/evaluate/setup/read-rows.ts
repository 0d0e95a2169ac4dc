import { isObject } from "@mci-ts/primitives/is-object";
import { parseJson } from "@mci-ts/primitives/parse-json";
import type { Entry, Format, Row } from "../types.ts";
import { readCsv } from "./read-csv.ts";
import { readRecord } from "./read-record.ts";

export interface ReadRows {
  readonly rows: readonly Row[];
  /** What is wrong, each with its line. Rows with mistakes are left out. */
  readonly problems: readonly string[];
  /** As what the text was read. */
  readonly format: Exclude<Format, "auto">;
}

/** More rows than this are work for `mci-council eval`. */
export const MAX_ROWS = 2000;

/** Questions of a text: one per line, JSON lines as `mci-council eval` reads them, a JSON list, or a table with a line of names. */
export function readRows(source: string, wanted: Format): ReadRows {
  const text = source.replace(/^\ufeff/, "");
  const format = wanted === "auto" ? formatOf(text) : wanted;
  const problems: string[] = [];
  const rows: Row[] = [];
  const ids = new Map<string, number>();
  let left = 0;
  const add = (line: number, entry: Entry) => {
    if ("problem" in entry) {
      problems.push(`line ${line}: ${entry.problem}`);
      return;
    }
    if (rows.length >= MAX_ROWS) {
      left++;
      return;
    }
    const before = ids.get(entry.id);
    if (before !== undefined)
      problems.push(
        `line ${line}: the id ${JSON.stringify(entry.id.slice(0, 80))} is that of line ${before}, too`,
      );
    else {
      ids.set(entry.id, line);
      rows.push(entry);
    }
  };
  try {
    read(text, format, add);
  } catch (error) {
    problems.push((error as Error).message);
  }
  if (left > 0)
    problems.push(
      `There are ${left} rows more than ${MAX_ROWS}, which are left out: mci-council eval has no limit.`,
    );
  return { rows, problems, format };
}

function read(text: string, format: ReadRows["format"], add: (line: number, entry: Entry) => void): void {
  if (format === "csv" || format === "tsv") {
    const [head, ...records] = readCsv(text, format === "csv" ? "," : "\t");
    for (const { line, fields } of records) add(line, readRecord(head!.fields, fields, line));
    return;
  }
  const start = text.trimStart();
  if (format === "jsonl" && start.startsWith("[")) {
    const list: unknown = JSON.parse(start);
    for (const [index, value] of (list as unknown[]).entries())
      add(index + 1, readQuestion(value, index + 1));
    return;
  }
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    add(index + 1, format === "jsonl" ? readJsonLine(line, index + 1) : readLine(line, index + 1));
  }
}

function readJsonLine(line: string, number: number): Entry {
  try {
    return readQuestion(JSON.parse(line), number);
  } catch (error) {
    return { problem: `this is not JSON: ${(error as Error).message}` };
  }
}

/** `What is 2 + 2? => 4` */
function readLine(line: string, number: number): Entry {
  const at = line.lastIndexOf(" => ");
  const [prompt, answer] = at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at + 4)];
  if (prompt.trim() === "") return { problem: "there is no question before the =>" };
  return {
    id: `line ${number}`,
    prompt: prompt.trim(),
    variables: new Map(),
    ...(answer.trim() === "" ? {} : { answer: answer.trim() }),
  };
}

/** Names of columns that no first question would consist of. */
const HEADS =
  /^"?(prompt|question|answer|expected|__expected|id|rubric)"?\s*([,\t]|$)|[,\t]"?(prompt|question|answer|expected|__expected|rubric)"?\s*([,\t]|$)/i;

function formatOf(text: string): ReadRows["format"] {
  const start = text.trimStart();
  const [line = ""] = start.split("\n", 1);
  if (start.startsWith("[") || (start.startsWith("{") && isObject(parseJson(line)))) return "jsonl";
  if (line.length < 10_000 && HEADS.test(line.trim()) && /[,\t]/.test(line))
    return line.includes("\t") ? "tsv" : "csv";
  return start.startsWith("{") && !start.startsWith("{{") ? "jsonl" : "lines";
}

/** The fields of a line that `mci-council eval` reads, each with its check; `vars` is this page's own. */
const FIELDS = new Map<string, readonly [(value: unknown) => boolean, string]>([
  ["id", [isText, "a text"]],
  ["kind", [isText, "a text"]],
  ["prompt", [isText, "a text"]],
  ["context", [isObject, "an object"]],
  ["answer", [isAnswer, "a text, a number, true or false, or an object"]],
  ["accept", [isAnswers, "a list of answers"]],
  ["schema", [isObject, "a JSON Schema"]],
  ["rubric", [isText, "a text"]],
  ["labels", [Array.isArray, "a list of judged answers"]],
  ["vars", [isObject, "an object"]],
]);

/** One question of a file in the format of `mci-council eval`. */
function readQuestion(value: unknown, line: number): Entry {
  if (!isObject(value)) return { problem: 'must be an object such as {"prompt": "…", "answer": "…"}' };
  for (const [name, given] of Object.entries(value)) {
    const field = FIELDS.get(name);
    if (field === undefined)
      return { problem: `${name.slice(0, 80)} is not a field: there are ${[...FIELDS.keys()].join(", ")}` };
    const [check, kind] = field;
    if (!check(given)) return { problem: `${name} must be ${kind}` };
  }
  const { vars = {}, id, ...fields } = value as Record<string, unknown>;
  if (fields["prompt"] === undefined && Object.keys(vars as object).length === 0)
    return { problem: "must have a prompt, or vars for the prompts above" };
  return {
    ...fields,
    id: typeof id === "string" ? id : `line ${line}`,
    variables: new Map(Object.entries(vars as object).map(([name, text]) => [name, textOf(text)])),
  } as Row;
}

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isAnswer(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value) || isObject(value);
}

function isAnswers(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isAnswer);
}
