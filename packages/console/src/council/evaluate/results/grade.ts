import { answerKey } from "@mci-ts/council/answer-key";
import { isAccepted, type Result } from "@mci-ts/council-eval/console";
import { jsonOrText } from "@mci-ts/primitives/parse-json";
import { fingerprint } from "../matrix.ts";
import type { Ask, Cell } from "../types.ts";

/** What is known of an answer beside its text. */
export interface Graded {
  /** By a person, the expected answer or the rubric, in this order; undefined: none of them says. */
  readonly right: boolean | undefined;
  readonly by: "person" | "answer" | "rubric" | undefined;
  /** Equal for answers that mean the same. */
  readonly name: string | undefined;
}

const graded = new WeakMap<Cell, { readonly row: Ask["row"]; readonly result: Graded }>();

/** Cells and rows are never changed, so each pair is looked at once. */
export function gradeOf(ask: Ask, cell: Cell | undefined): Graded {
  if (cell === undefined || cell.state === "running") return NOTHING;
  const known = graded.get(cell);
  if (known?.row === ask.row) return known.result;
  const result = grade(ask, cell);
  graded.set(cell, { row: ask.row, result });
  return result;
}

const NOTHING: Graded = { right: undefined, by: undefined, name: undefined };

const MAX_NAME_CHARS = 100;

function grade({ row, prompt }: Ask, { state, answer, person, rubric }: Cell): Graded {
  const question = { prompt, schema: row.schema, answer: row.answer, accept: row.accept };
  const hasCheck = row.answer !== undefined || row.accept !== undefined;
  if (state === "failed" || answer === null || answer === undefined) {
    if (person) return { right: person.right, by: "person", name: undefined };
    const isWrong = hasCheck || row.rubric !== undefined || row.schema !== undefined;
    return { ...NOTHING, right: isWrong ? false : undefined, by: hasCheck ? "answer" : undefined };
  }
  const key = answerKey(question)(answer);
  // A name of a long answer would be as long again.
  const name = key.length > MAX_NAME_CHARS ? fingerprint(key) : key;
  if (person) return { right: person.right, by: "person", name };
  if (hasCheck) return { right: isAccepted(question as never, answer), by: "answer", name };
  if (row.rubric !== undefined) return { right: rubric?.satisfied, by: rubric ? "rubric" : undefined, name };
  // A schema alone: every object that was decided fits it.
  return row.schema === undefined ? { ...NOTHING, name } : { right: true, by: "answer", name };
}

/** A cell as `mci-council eval` writes it; undefined where nothing says whether it is right. */
export function resultOf(ask: Ask, cell: Cell, names: { method: string; model: string }): Result | undefined {
  const { right, by } = gradeOf(ask, cell);
  if (right === undefined || cell.state === "running") return undefined;
  const { answer = null, agreement = null, confidence = null, votes = {}, calls = 0, cost_usd = null } = cell;
  const judging = cell.rubric;
  return {
    question: ask.row.id,
    hash: "",
    ...names,
    run: ask.repeat,
    verdict: cell.verdict ?? "failed",
    answer,
    correct: right,
    confidence,
    ...(cell.confidence_interval ? { confidence_interval: cell.confidence_interval } : {}),
    agreement,
    leader_right: answer === null ? null : right,
    ...(cell.basis ? { basis: cell.basis } : {}),
    votes,
    right_votes: by === "answer" ? rightVotes(ask, votes) : null,
    calls: calls + (judging?.calls ?? 0),
    grading_calls: judging?.calls ?? 0,
    cost_usd: cost_usd === null || judging?.cost_usd === null ? null : cost_usd + (judging?.cost_usd ?? 0),
    seconds: cell.seconds ?? 0,
    ...(cell.error ? { error: cell.error.message } : {}),
  };
}

function rightVotes({ row, prompt }: Ask, votes: Readonly<Record<string, number>>): number | null {
  let right = 0;
  for (const [label, count] of Object.entries(votes)) {
    // Votes go by their label; that of an object is its JSON.
    const answer = row.schema ? (jsonOrText(label) as string | object) : label;
    const isRight = isAccepted({ ...row, prompt } as never, answer);
    if (isRight === undefined) return null;
    if (isRight) right += count;
  }
  return right;
}
