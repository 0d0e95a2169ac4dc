import type { Problem } from "../../errors.ts";
import type { JsonPath } from "../../template-api.ts";
import type { Locate } from "./positions.ts";

/** The content of a file, not yet validated, and the positions in it. */
export interface Parsed {
  /** The file as the caller named it; undefined for a document in memory. */
  readonly file?: string;
  readonly data: unknown;
  /** Numbers whose source text a JavaScript number does not preserve (`1.10`), for fields that are text. */
  readonly rawNumbers: readonly RawNumber[];
  /** Suspicious but legal syntax: duplicate keys, unknown YAML tags. Computed on demand. */
  warnings(): Promise<Problem[]>;
  /** Built on first use: most files never need a position. */
  locator(): Promise<Locate>;
}

export interface RawNumber {
  readonly place: JsonPath;
  readonly text: string;
}
