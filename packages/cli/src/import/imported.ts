import type { WrittenSettings } from "mci-ts/authoring";

/** What an importer makes of a document, before it is written. */
export interface Imported {
  /** The toolset file, or a file with MCP servers. */
  readonly document: ImportedDocument;
  /** What became no tool, and why. */
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly string[];
  /** Tools whose results come in pages. */
  readonly pages?: { readonly followed: readonly string[]; readonly unclear: readonly string[] };
  /** Every variable that the document reads. */
  readonly variables: readonly Variable[];
  /** Values that were taken out of the document, by their variables. Never printed. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** Text of the imported document reaches a tool through `writeSettings` only: these types admit nothing else. */
export interface ImportedDocument {
  readonly schemaVersion: "1.0";
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Variables that are not secrets. */
  readonly publicEnv?: readonly string[];
  /** The variables that templates may read. */
  readonly envAllowList?: readonly string[];
  readonly tools?: readonly { readonly name: string; readonly execution: WrittenSettings }[];
  readonly mcp_servers?: Readonly<Record<string, WrittenSettings>>;
}

export interface Skipped {
  readonly what: string;
  readonly reason: string;
  /** The options left it out, not its content. */
  readonly byChoice: boolean;
}

export interface Variable {
  readonly name: string;
  readonly description: string;
  /** Without it, calls fail. */
  readonly required: boolean;
  readonly secret: boolean;
  readonly default?: string;
}
