import type { Filter, Json, LoadSettings } from "./case.ts";

/** What an adapter is asked to do with one case: load the file, make the calls, list the tools. */
export interface Task {
  /** The entry file, absolute. */
  readonly file: string;
  readonly env: Json;
  readonly load: LoadSettings;
  readonly filter: Filter;
  readonly calls: readonly { readonly tool: string; readonly properties: Json }[];
}

/** What came of it. All of it is plain JSON, so that an adapter may as well be a program in another language. */
export interface Observed {
  /** Why the file could not be loaded; then there is nothing else. */
  readonly failure?: ObservedFailure;
  /** Names of the tools that pass the filter. */
  readonly listed?: readonly string[];
  /** Every tool after the calls, its fields spelled as in the file. */
  readonly tools?: readonly Json[];
  readonly warnings?: readonly ObservedProblem[];
  /** One for each call. */
  readonly calls?: readonly ObservedCall[];
}

export interface ObservedFailure {
  readonly code?: string;
  readonly message: string;
  readonly problems?: readonly ObservedProblem[];
}

export interface ObservedProblem {
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
  readonly hint?: string;
}

export interface ObservedCall {
  /** The call was refused with an exception. */
  readonly thrown?: ObservedFailure;
  readonly result?: {
    readonly content: readonly Json[];
    readonly isError: boolean;
    readonly structuredContent?: unknown;
    readonly metadata: Json;
  };
}

export type Adapter = (task: Task) => Promise<Observed>;
