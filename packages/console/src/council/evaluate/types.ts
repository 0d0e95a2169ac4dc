import type { QuestionLine, Verdict } from "@mci-ts/council-eval/console";

/** What is compared: questions, prompts around them, and the ways to answer. All of it as typed; it may be incomplete. */
export interface Evaluation {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  /** The questions as typed, pasted or read from a file. */
  readonly source: string;
  /** The file they came from. */
  readonly file?: string | undefined;
  readonly format: Format;
  /** Templates around the questions. None: the questions as they are. */
  readonly prompts: readonly string[];
  readonly columns: readonly Column[];
  /** How often each question is asked. */
  readonly repeats: number;
  /** Questions at a time. */
  readonly concurrency: number;
  /** The configuration that the others are compared with. Default: the first. */
  readonly baseline?: string | undefined;
}

export const FORMATS = ["auto", "lines", "jsonl", "csv", "tsv"] as const;
export type Format = (typeof FORMATS)[number];

/** One configuration: a column of the matrix. */
export interface Column {
  readonly id: string;
  /** Empty: named by what it is. */
  readonly name: string;
  /** Empty: the service's own. */
  readonly model: string;
  /** As `mci-council eval --methods` names it. */
  readonly method: string;
  /** Which of the prompts; the first is 0. */
  readonly prompt: number;
  /** Further settings of a request. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** One question: a row of the matrix. */
export interface Row extends Omit<QuestionLine, "id" | "prompt"> {
  readonly id: string;
  /** Absent where only variables are given. */
  readonly prompt?: string | undefined;
  readonly variables: ReadonlyMap<string, string>;
}

/** A row that was read, or what is wrong with it. */
export type Entry = Row | { readonly problem: string };

/** What is sent for one cell, and under which name it is known. */
export interface Ask {
  /** Different for another question, another request or another repeat: what was answered is not asked again. */
  readonly key: string;
  readonly row: Row;
  readonly column: Column;
  /** From 1. */
  readonly repeat: number;
  /** With the variables filled in. */
  readonly prompt: string;
  readonly request: Readonly<Record<string, unknown>>;
}

/** What is known of one cell. There is none before it is asked. */
export interface Cell {
  readonly key: string;
  readonly state: "running" | "answered" | "failed";
  /** Counts what a person asked again; 0 at first. */
  readonly attempt: number;
  readonly run_id?: string | undefined;
  /** Replies so far. */
  readonly replies?: number | undefined;
  readonly answer?: string | object | null;
  /** What the run said about its own answer. */
  readonly verdict?: Verdict;
  readonly agreement?: number | null;
  readonly confidence?: number | null;
  readonly confidence_interval?: readonly [number, number];
  readonly basis?: { readonly model: string; readonly strategy: string; readonly kind: string };
  readonly votes?: Readonly<Record<string, number>>;
  readonly calls?: number;
  readonly cost_usd?: number | null;
  readonly cost_source?: string;
  readonly seconds?: number;
  readonly error?: { readonly code: string; readonly message: string };
  /** What a model found of the answer, where there is only a rubric. */
  readonly rubric?: {
    readonly run_id: string;
    readonly satisfied: boolean;
    readonly calls: number;
    readonly cost_usd: number | null;
  };
  /** Of a person. */
  readonly person?: { readonly right: boolean; readonly note?: string | undefined };
}
