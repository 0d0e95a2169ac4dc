import type { Question } from "../questions.ts";
import type { Result } from "../results-file.ts";
import { escapeHtml } from "./plots.ts";

/** Thousands of them are too many for a page; results.jsonl has all. */
const MAX_SHOWN = 200;
const MAX_CHARACTERS = 400;

/** Questions that were answered differently, wrongly or with divided votes, each with every answer and its votes. */
export function disagreements(questions: readonly Question[], results: readonly Result[]): string {
  const byQuestion = Map.groupBy(results, ({ question }) => question);
  const disputed = questions.flatMap((question) => {
    const all = byQuestion.get(question.id) ?? [];
    return all.some(isDisputed) ? [{ question, all }] : [];
  });
  const more =
    disputed.length > MAX_SHOWN ? ` The first ${MAX_SHOWN} are shown; results.jsonl has the others.` : "";
  return `<p>${disputed.length} of ${questions.length} questions were answered wrongly at least once, or with divided votes.${more}</p>
${disputed.slice(0, MAX_SHOWN).map(block).join("\n")}`;
}

const isDisputed = ({ correct, votes }: Result) => !correct || Object.keys(votes).length > 1;

function block({ question, all }: { readonly question: Question; readonly all: readonly Result[] }): string {
  const wrong = all.filter(({ correct }) => !correct).length;
  const head = `${question.id}: ${question.prompt}`;
  return `<details><summary>${show(head)} <span class="${wrong > 0 ? "wrong" : "right"}">${wrong} of ${all.length} wrong</span></summary>
<p>Expected: ${show(expected(question))}</p>
<table><thead><tr><th>Method</th><th>Model</th><th>Answer</th><th></th><th>Votes</th></tr></thead><tbody>${all.map(row).join("")}</tbody></table></details>`;
}

function row({ method, model, answer, correct, votes, error }: Result): string {
  const tally = Object.entries(votes)
    .toSorted(([, a], [, b]) => b - a)
    .map(([text, count]) => `${show(text)}: ${count}`)
    .join("<br>");
  const reply = error ?? (typeof answer === "string" ? answer : JSON.stringify(answer));
  return `<tr><td>${show(method)}</td><td>${show(model)}</td><td>${show(reply)}</td><td class="${correct ? "right" : "wrong"}">${correct ? "right" : "wrong"}</td><td>${tally}</td></tr>`;
}

function expected({ answer, accept = [], rubric, schema }: Question): string {
  const accepted = [...(answer === undefined ? [] : [answer]), ...accept];
  if (accepted.length > 0)
    return accepted.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join(" or ");
  return rubric ?? `an object of the schema ${JSON.stringify(schema)}`;
}

const show = (text: string) =>
  escapeHtml(text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text);
