import type { Problem } from "../errors.ts";
import type { ToolFilter } from "../tools/select.ts";

export interface LintOptions {
  /** The `env` of templates; decides which commands and file paths are known. Default: empty. */
  readonly env?: Readonly<Record<string, unknown>>;
  /** Text to lint in place of the file's own, such as an edit that is not saved. Default: the file is read. */
  readonly source?: string;
  /**
   * Folders that may be read besides the one of the file and the repository around it, or "any". What lies elsewhere is
   * not looked at, whatever the file says, and is a warning. Default: none.
   */
  readonly folders?: readonly string[] | "any";
  /** Judges only these tools, and what belongs to no tool. Default: all. */
  readonly filter?: ToolFilter;
}

/** A position in a file. Lines and columns are 1-based; `path` is the JSON path in the document, `tool` the tool it leads into. */
export interface Location {
  readonly tool?: string;
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
  /** The same for messages: values of `env` are masked. */
  readonly displayed: string;
  /** Whether it lies in a folder that lint may read, if it is a path. */
  readonly isInProject: boolean;
  /** The directory it is started in. */
  readonly cwd: string;
}

/** Where a tool stands: what lies at its path or below belongs to it. */
export interface ToolLocation {
  /** As clients list it, with the prefix and name that an include gives it. */
  readonly name: string;
  readonly tags: readonly string[];
  /** The toolset it comes from, if it is not the file's own. */
  readonly toolsetSource?: string;
  readonly file: string;
  readonly path: string;
}

export interface LintResult {
  /** The tools of the file and its toolsets that were judged, valid or not. */
  readonly tools: readonly ToolLocation[];
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
