import type { JsonPath } from "../template-api.ts";

/** 1-based line and column of an offset. */
export function positionAt(source: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = source.indexOf("\n"); at >= 0 && at < offset; at = source.indexOf("\n", at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return { line, column: offset - lineStart + 1 };
}

/** `tools[0].execution.headers["X-Id"]`, as the loader writes it. */
export function formatPlace(place: JsonPath): string {
  return place.reduce<string>((text, step, index) => {
    if (typeof step === "number") return `${text}[${step}]`;
    if (index === 0) return step;
    return text + (/^[\w$]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`);
  }, "");
}

/** One step of a path in a template: `.name`, or `["odd name"]`. */
export function formatStep(step: string): string {
  return PLAIN_NAME.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

/** What a template can read after a dot; a digit after a hyphen would be subtracted. */
const PLAIN_NAME = /^[\p{L}\p{N}_$]+(?:-[\p{L}_$][\p{L}\p{N}_$]*)*$/u;
