/** What an importer makes of a document, before it is written. */
export interface Imported {
  /** The toolset file, or a file with MCP servers. */
  readonly document: ImportedDocument;
  /** What became no tool, and why. */
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly string[];
  readonly variables: readonly Variable[];
}

export interface ImportedDocument {
  readonly schemaVersion: "1.0";
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Variables that are no secrets. */
  readonly publicEnv?: readonly string[];
  readonly tools?: readonly { readonly name: string }[];
  readonly mcp_servers?: Readonly<Record<string, unknown>>;
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
