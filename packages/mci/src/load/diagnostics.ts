import type { Problem } from "../errors.ts";
import type { JsonPath } from "../template-api.ts";
import type { Parsed } from "./parse/parsed.ts";
import type { Position } from "./parse/positions.ts";
import { formatPath, toolAt } from "./problems.ts";

/** An error or warning at a path of a document, before its line is known. */
export interface Diagnostic {
  readonly place: JsonPath;
  readonly message: string;
  readonly hint?: string;
  readonly severity: "error" | "warning";
  /** Offset in the string at `place`, for something wrong inside a template. */
  readonly offset?: number;
  /** A second path it is about; the message then names it, too. */
  readonly also?: JsonPath;
  /** It is about the key, not about its value. Default false. */
  readonly atKey?: boolean;
}

/** Adds lines and columns. */
export async function locateDiagnostics(
  parsed: Pick<Parsed, "file" | "data" | "locator">,
  diagnostics: readonly Diagnostic[],
): Promise<Problem[]> {
  if (diagnostics.length === 0) return [];
  const locate = await parsed.locator();
  return diagnostics.map(({ place, message, also, hint, severity, offset, atKey }): Problem => {
    const position = locate(place, { offset, atKey });
    return {
      message: also === undefined ? message : `${message}: ${oneAt(also, locate(also))} has it too`,
      ...(parsed.file === undefined ? {} : { file: parsed.file }),
      ...position,
      ...(place.length === 0 ? {} : { path: formatPath(place) }),
      ...toolAt(parsed.data, place),
      ...(hint === undefined ? {} : { hint }),
      severity,
    };
  });
}

const oneAt = (place: JsonPath, position: Position | undefined) =>
  position === undefined ? formatPath(place) : `the one on line ${position.line}`;

/** Problems in the order of their lines. */
export function inFileOrder(problems: readonly Problem[]): Problem[] {
  return problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}
