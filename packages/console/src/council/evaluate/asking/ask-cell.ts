import { isSatisfied, rubricRequest } from "@mci-ts/council-eval/console";
import type { Run } from "@mci-ts/council-server/api";
import { ApiError } from "../../../api/http.ts";
import type { Ask, Cell } from "../types.ts";
import { type AskRunOptions, askRun } from "./ask-run.ts";
import { cellOf } from "./read-cell.ts";

export type AskCellOptions = Pick<AskRunOptions, "pauses" | "signal" | "nextLook">;

/** Whether a model has to judge the answer: there is only a rubric. */
export const needsJudge = ({ row: { rubric, answer, accept } }: Ask) =>
  rubric !== undefined && answer === undefined && accept === undefined;

/** Whether there is something to ask: no answer yet, or one that was not judged. */
export function isOpen(ask: Ask, cell: Cell | undefined): boolean {
  if (cell === undefined) return true;
  return cell.state === "answered" && isUnjudged(ask, cell);
}

const isUnjudged = (ask: Ask, { answer, rubric }: Cell) =>
  needsJudge(ask) && rubric === undefined && answer !== null && answer !== undefined;

/** Asks for the answer of a cell, and for its judge. What is known after each step is reported. */
export async function askCell(
  name: string,
  ask: Ask,
  before: Cell | undefined,
  report: (cell: Cell) => void,
  options: AskCellOptions,
): Promise<void> {
  const attempt = before?.attempt ?? 0;
  const key = `${name}.${ask.key}.${attempt}`;
  let cell: Cell = before?.state === "answered" ? before : { key: ask.key, state: "running", attempt };
  const say = (next: Cell) => {
    cell = next;
    report(cell);
  };
  try {
    if (cell.state !== "answered") {
      say(cell);
      const run = await askRun(ask.request, key, {
        ...options,
        onStart: (run_id) => say({ ...cell, run_id }),
        onProgress: (replies) => say({ ...cell, replies }),
      });
      say(cellOf(cell, run));
    }
    if (cell.state === "answered" && isUnjudged(ask, cell))
      say(await judge(ask, cell, `${key}.rubric`, options));
  } catch (error) {
    options.signal.throwIfAborted();
    say({ ...cell, state: "failed", error: errorOf(error) });
  }
}

async function judge(ask: Ask, cell: Cell, key: string, options: AskCellOptions): Promise<Cell> {
  const model = ask.column.model.trim();
  const request = rubricRequest(
    { rubric: ask.row.rubric, prompt: ask.prompt },
    cell.answer!,
    model === "" ? undefined : model,
  );
  const run = await askRun(request, key, { ...options, onStart: () => {}, onProgress: () => {} });
  const { response, cost_usd, calls } = run;
  if (!response || "error" in response) throw notJudged(run);
  const satisfied = isSatisfied(response.metadata.answer);
  return { ...cell, rubric: { run_id: run.id, satisfied, calls: calls ?? 0, cost_usd } };
}

function notJudged({ response }: Run): ApiError {
  const reason = response && "error" in response ? response.error.message : "the judge's run has no result";
  return new ApiError(500, "not_judged", `The answer was not judged: ${reason}`);
}

function errorOf(error: unknown): { code: string; message: string } {
  if (!(error instanceof ApiError)) return { code: "page", message: String(error) };
  const details = error.details.map(({ path, message }) =>
    message.includes(path) ? message : `${path} ${message}`,
  );
  return {
    code: error.code,
    message: [error.message, ...details.filter((each) => !error.message.includes(each))].join(" "),
  };
}
