import type { Row, Table } from "../bench/suite.ts";
import type { ModelFile } from "./model/models.ts";
import type { Service } from "./service.ts";

/** What a part is run with. */
export interface LiveWorld {
  readonly model: ModelFile;
  /** Of the model server, with /v1. */
  readonly modelUrl: string;
  /** Another model and its server, where one was asked for. */
  readonly second?: { readonly name: string; readonly url: string };
  /** How many of the questions; a quick experiment takes few. */
  readonly questions: number;
  /** `mci-council`: node and its arguments. */
  readonly command: readonly string[];
  /** The service on the live model, with more settings. It ends with the part. */
  startService(env?: Readonly<Record<string, string>>): Promise<Service>;
  /** A folder of this part's own. */
  readonly folder: string;
  progress(text: string): void;
}

/** One thing that is tried with a real model. */
export interface Part {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  run(world: LiveWorld): Promise<readonly (Row | Table)[]>;
}
