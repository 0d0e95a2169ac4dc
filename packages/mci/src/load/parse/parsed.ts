import type { Problem } from "../../errors.ts";
import type { JsonPath } from "../../template-api.ts";
import type { Locate } from "./positions.ts";

/** What a file says, not yet checked, and the way back to its lines. */
export interface Parsed {
  /** The file as the caller named it; undefined for a document in memory. */
  readonly file?: string;
  readonly data: unknown;
  /** Numbers written in a way that a JavaScript number forgets (`1.10`), to be kept where text is wanted. */
  readonly rawNumbers: readonly RawNumber[];
  /** What is legal but doubtful in the writing itself: keys given twice, unknown YAML tags. Looked for on demand. */
  warnings(): Promise<Problem[]>;
  /** Built on first use: most files are never asked for a position. */
  locator(): Promise<Locate>;
}

export interface RawNumber {
  readonly place: JsonPath;
  readonly text: string;
}
