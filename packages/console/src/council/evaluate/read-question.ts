import { isObject } from "@mci-ts/primitives/is-object";
import type { Entry, Row } from "./types.ts";

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
export function readQuestion(value: unknown, line: number): Entry {
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
