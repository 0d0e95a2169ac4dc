import { isObject } from "@mci-ts/primitives/is-object";
import { type ClientErrorCode, MCIClientError, type Problem } from "../errors.ts";
import type { JsonPath } from "../template-api.ts";

/** Errors listed in the message; `error.problems` has them all. */
const MAX_LISTED = 50;

/** One exception for all problems of a file. Its message lists the errors, one per line. */
export function loadError(
  code: ClientErrorCode,
  file: string | undefined,
  problems: readonly Problem[],
  cause?: unknown,
): MCIClientError {
  const errors = problems.filter((problem) => problem.severity === "error");
  const message = `${failedToLoad(file)}: ${listed(errors, file)}`;
  return new MCIClientError(code, message, { problems, cause });
}

export const failedToLoad = (file: string | undefined) =>
  file === undefined ? "Failed to load the document" : `Failed to load schema from ${file}`;

function listed(errors: readonly Problem[], file: string | undefined): string {
  // A problem with another file as a whole has no position that would name it.
  const format = (problem: Problem) => {
    const isElsewhere = problem.line === undefined && problem.file !== undefined && problem.file !== file;
    return `${isElsewhere ? `${problem.file}: ` : ""}${formatProblem(problem)}`;
  };
  if (errors.length === 1) return format(errors[0]!);
  const lines = errors.slice(0, MAX_LISTED).map((problem) => `\n  ${format(problem)}`);
  const more = errors.length > MAX_LISTED ? `\n  … and ${errors.length - MAX_LISTED} more` : "";
  return `${errors.length} problems${lines.join("")}${more}`;
}

/** `file:line:column path: message — hint`, with what is known of it. */
export function formatProblem(problem: Problem): string {
  const { file, line, column, message, hint } = problem;
  const position = line === undefined ? "" : `${file === undefined ? "" : `${file}:`}${line}:${column ?? 1}`;
  const where = [position, describePath(problem)].filter(Boolean).join(" ");
  return `${where === "" ? "" : `${where}: `}${message}${hint === undefined ? "" : ` — ${hint}`}`;
}

/** `tool 'get_user', execution.url`; without a tool's name the path as it is. */
export function describePath({ path = "", tool }: Pick<Problem, "path" | "tool">): string {
  if (tool === undefined || !path.startsWith("tools[")) return path;
  const rest = path.replace(/^tools\[\d+\]\.?/, "");
  return [`tool '${tool}'`, rest].filter((part) => part !== "").join(", ");
}

/** The name of the tool that a path of a document leads into; nothing where it has none. */
export function toolAt(data: unknown, [first, index]: JsonPath): { tool?: string } {
  if (first !== "tools" || typeof index !== "number") return {};
  const tools: unknown = isObject(data) ? data["tools"] : undefined;
  const tool: unknown = Array.isArray(tools) ? tools[index] : undefined;
  const name: unknown = isObject(tool) ? tool["name"] : undefined;
  return typeof name === "string" && name !== "" ? { tool: name } : {};
}

/** A path, e.g. `tools[0].execution.headers["X-Api-Key"]`. */
export function formatPath(place: JsonPath): string {
  return place
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      if (!/^[\w$]+$/.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join("");
}
