import type { Problem } from "../errors.ts";

export interface LintOptions {
  /** The `env` of templates; decides which commands and file paths are known. Default: empty. */
  readonly env?: Readonly<Record<string, unknown>>;
  /** Text to lint in place of the file's own, such as an edit that is not saved. Default: the file is read. */
  readonly source?: string;
}

/** A position in a file. Lines and columns are 1-based; `path` is the JSON path in the document. */
export interface Location {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly path?: string;
}

/** What uses a variable or command: "main", the name of a toolset, or `mcp:` and the name of a server; and which tool. */
export interface Consumer {
  readonly usedBy: string;
  readonly tool?: string;
}

/** A place where a template reads an env variable. */
export interface EnvUse extends Location, Consumer {
  readonly name: string;
  /** Rendering continues without it. */
  readonly hasFallback: boolean;
}

/** A program that a tool or an MCP server starts, where its name is known before a call. */
export interface CommandUse extends Location, Consumer {
  readonly command: string;
  /** The directory it is started in. */
  readonly cwd: string;
}

export interface LintResult {
  /** Every error and warning, those of toolset files and file templates included. */
  readonly problems: readonly Problem[];
  readonly envs: readonly EnvUse[];
  readonly commands: readonly CommandUse[];
  /** Where toolsets are, absolute; undefined if the file cannot be parsed. */
  readonly libraryDir?: string;
  /**
   * Every source of tools, absolute: the file, its toolset files, and the directories of toolsets that are directories.
   * Empty if the file cannot be parsed.
   */
  readonly files: readonly string[];
}
