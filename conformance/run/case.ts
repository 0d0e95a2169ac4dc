/** A file of cases, as `case.schema.json` describes it. */
export interface CaseFile {
  /** The folder it lies in. */
  readonly topic: string;
  /** What its cases are about, in a sentence. */
  readonly about: string;
  readonly cases: readonly Case[];
}

export interface Case {
  /** `topic/slug`, never changed and never used again. */
  readonly id: string;
  readonly title: string;
  /** Adapters known to behave otherwise, and why: our documented decision, or their defect. */
  readonly differs?: Readonly<Record<string, string>>;

  /** The entry file: in short one text, in short one execution, or all of it. */
  readonly template?: string;
  readonly execution?: Json;
  readonly document?: Json;
  /** Name of the entry file. Default `tools.mci.json`. Without a document it is one of `files`, or missing on purpose. */
  readonly entry?: string;
  /** Of the one tool of `template` and `execution`. */
  readonly inputSchema?: Json;

  readonly files?: Readonly<Record<string, FileContent>>;
  readonly env?: Json;
  readonly load?: LoadSettings;
  /** Which tools to list. */
  readonly filter?: Filter;

  /** Properties of the one call, for `template` and `execution`. */
  readonly props?: Json;
  readonly call?: CallSettings;
  /** Several calls of one client, in order. */
  readonly calls?: readonly (CallSettings & { readonly expect: Expectation })[];
  readonly expect?: Expectation;
}

export type Json = Readonly<Record<string, unknown>>;

export type FileContent =
  | string
  | { readonly json: unknown }
  | { readonly base64: string }
  | { readonly symlink: string }
  | { readonly directory: true };

export interface LoadSettings {
  readonly validating?: boolean;
  readonly filter?: Filter;
  readonly unknownKeys?: "ignore" | "warn" | "error";
  readonly limits?: Readonly<Record<string, number>>;
}

export interface Filter {
  readonly only?: readonly string[];
  readonly without?: readonly string[];
  readonly tags?: readonly string[];
  readonly withoutTags?: readonly string[];
  readonly toolsets?: readonly string[];
}

export interface CallSettings {
  /** Default: the one tool of `template` and `execution`. */
  readonly tool?: string;
  readonly properties?: Json;
}

export interface Expectation {
  // About loading, and the tools after all calls.
  readonly loadFails?: ExpectedFailure & { readonly problems?: readonly ExpectedProblem[] };
  readonly tools?: readonly string[];
  readonly toolFields?: Readonly<Record<string, Json>>;
  readonly warnings?: readonly ExpectedProblem[];
  // About one call.
  readonly throws?: ExpectedFailure;
  readonly error?: ExpectedFailure;
  readonly text?: string;
  readonly textContains?: Substrings;
  readonly textLacks?: Substrings;
  readonly textMatches?: string;
  readonly content?: readonly unknown[];
  readonly structuredContent?: unknown;
  readonly metadata?: Json;
  readonly metadataTypes?: Readonly<Record<string, string>>;
  readonly request?: Json;
  readonly report?: Json;
  readonly nowhere?: readonly string[];
}

export type Substrings = string | readonly string[];

export interface ExpectedFailure {
  readonly code?: string;
  readonly contains?: Substrings;
  readonly lacks?: Substrings;
}

export interface ExpectedProblem {
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
  readonly contains?: Substrings;
}
