import type { ReportLoss } from "./json-schema.ts";

/** OpenAI refused longer ones: "string too long … maximum length 1024". */
const MAX_DESCRIPTION = 1024;

export function shortDescription(description: string, report: ReportLoss): string {
  if (description.length <= MAX_DESCRIPTION) return description;
  report(`the description is cut to ${MAX_DESCRIPTION} characters`);
  return `${description.slice(0, MAX_DESCRIPTION - 1)}…`;
}
