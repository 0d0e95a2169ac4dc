import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { download } from "../../../parts/download.ts";
import { plural } from "../../../parts/format.ts";
import { Menu } from "../../../parts/menu.tsx";
import { ErrorPanel } from "../../../parts/state-panel.tsx";
import { type Matrix, titleOf } from "../matrix.ts";
import { gradeOf } from "../results/grade.ts";
import type { Cell, Evaluation } from "../types.ts";
import { toCsv } from "./export-csv.ts";
import { toEvalFiles } from "./export-eval.ts";
import { toMarkdown } from "./export-markdown.ts";

/** Takes an evaluation along: for people, for spreadsheets, for programs, and for the command that goes on with it. */
export function ExportMenu({
  evaluation,
  matrix: { asks },
  cells,
  defaultModel = "",
}: {
  evaluation: Evaluation;
  matrix: Matrix;
  cells: ReadonlyMap<string, Cell>;
  defaultModel: string | undefined;
}) {
  const [commands, setCommands] = useState<{ readonly texts: readonly string[]; readonly leftOut: number }>();
  const name = evaluation.name.trim() || "evaluation";
  const evalFiles = () => toEvalFiles(evaluation, asks, cells, defaultModel);
  const save = useMutation({
    mutationFn: async (what: "csv" | "json" | "markdown" | "questions" | "results" | "commands") => {
      if (what === "csv") download(`${name}.csv`, toCsv(evaluation, asks, cells), "text/csv");
      else if (what === "markdown")
        download(`${name}.md`, toMarkdown(evaluation, asks, cells), "text/markdown");
      else if (what === "json") download(`${name}.json`, toJson(evaluation, asks, cells), "application/json");
      else {
        const { questions, results, commands: texts, leftOut } = await evalFiles();
        setCommands({ texts, leftOut });
        if (what === "questions") download("questions.jsonl", questions, "application/jsonl");
        if (what === "results") download("results.jsonl", results, "application/jsonl");
      }
    },
  });
  const entry = (what: Parameters<typeof save.mutate>[0], label: string) => (
    <button type="button" className="quiet" disabled={asks.length === 0} onClick={() => save.mutate(what)}>
      {label}
    </button>
  );
  return (
    <Menu label="Export">
      {entry("csv", "Answers as CSV")}
      {entry("json", "Everything as JSON")}
      {entry("markdown", "Totals and answers as Markdown")}
      {entry("questions", "Questions for mci-council eval")}
      {entry("results", "Results for mci-council eval")}
      {entry("commands", "The command that repeats it")}
      {commands && (
        <div className="commands" role="status">
          {commands.texts.map((text) => (
            <code key={text}>{text}</code>
          ))}
          {commands.leftOut > 0 && (
            <small>
              {plural(commands.leftOut, "question")} left out: nothing says what is right, and the command
              needs it.
            </small>
          )}
          <small>With results.jsonl in the folder of --out, it asks only what is missing.</small>
        </div>
      )}
      {save.isError && <ErrorPanel error={save.error} />}
    </Menu>
  );
}

function toJson(evaluation: Evaluation, asks: Matrix["asks"], cells: ReadonlyMap<string, Cell>): string {
  const answers = asks.map((ask) => {
    const { key, attempt, ...cell } = cells.get(ask.key) ?? { key: "", attempt: 0, state: "not asked" };
    const { right, by } = gradeOf(ask, cells.get(ask.key));
    return {
      question: ask.row.id,
      configuration: titleOf(ask.column, evaluation),
      repeat: ask.repeat,
      request: ask.request,
      ...{ right: right ?? null, judged_by: by ?? null },
      ...cell,
    };
  });
  return `${JSON.stringify({ evaluation, answers }, undefined, 2)}\n`;
}
