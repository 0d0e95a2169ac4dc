import type { Readable, Writable } from "node:stream";

/**
 * What a command is: a value. `main` finds it in its table, reads the arguments by `options` and `operands`, and calls
 * `run` with everything it may touch; help and shell completion are made from the same tables.
 */
export interface Command<O extends Options = Options> {
  /** One line for the list of commands. */
  readonly summary: string;
  /** Further paragraphs for `mci help COMMAND`. */
  readonly details?: string;
  readonly examples: readonly Example[];
  readonly operands?: readonly Operand[];
  readonly options: O;
  /** Does the work; the number is the exit code. */
  run(input: Input<O>, context: Context, commands: CommandTable): Promise<number>;
}

/** Every command by its name. Each is loaded when it is called, so that a quick one never waits for a big one. */
export type CommandTable = Readonly<Record<string, CommandEntry>>;

export interface CommandEntry {
  /** Another name for it. */
  readonly alias?: string;
  load(): Promise<{ readonly default: Command }>;
}

interface Example {
  readonly command: string;
  readonly about: string;
}

/** An argument without a dash. */
interface Operand {
  readonly name: string;
  readonly help: string;
  readonly required?: boolean;
  readonly multiple?: boolean;
  readonly choices?: readonly string[];
  /** Accepted, but neither suggested nor completed: for scripts. */
  readonly hiddenChoices?: readonly string[];
  readonly complete?: Completion;
}

export type Options = Readonly<Record<string, Option>>;

export type Option = {
  readonly help: string;
  readonly short?: string;
} & (
  | { readonly type: "boolean" }
  | {
      readonly type: "string";
      /** What help calls the value. */
      readonly value: string;
      /** May be given several times. Default false. */
      readonly multiple?: boolean;
      readonly choices?: readonly string[];
      readonly complete?: Completion;
    }
);

/** What a shell offers for a value: files, directories, or the names of the file's tools. */
export type Completion = "file" | "directory" | "tool";

/** The arguments of one call, read and checked. */
export interface Input<O extends Options = Options> {
  readonly values: Values<O>;
  readonly operands: readonly string[];
}

export type Values<O extends Options> = { readonly [Name in keyof O]: ValueOf<O[Name]> };

type ValueOf<O extends Option> = O extends { type: "boolean" }
  ? boolean
  : O extends { multiple: true }
    ? readonly string[]
    : (O extends { choices: readonly (infer Choice)[] } ? Choice : string) | undefined;

/** Everything outside that a command may touch. */
export interface Context {
  readonly cwd: string;
  /** The process environment; only the command line tool reads it, the library never does. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  /** Results only, so that they can be piped. */
  readonly stdout: Output;
  /** Everything about the work: problems, hints, progress. */
  readonly stderr: Output;
  /** Aborts when the user interrupts. */
  readonly signal: AbortSignal;
}

export interface Output {
  write(text: string): void;
  /** For more than `write`: a protocol on standard output, waiting until it is drained. */
  readonly stream: Writable;
  readonly isTTY: boolean;
  /** Characters in a line of the terminal. */
  readonly columns: number;
  /** Whether to use colours: on a terminal, unless NO_COLOR is set; elsewhere with FORCE_COLOR. */
  readonly colour: boolean;
}

/** Keeps the types of the options while checking the shape. */
export function command<const O extends Options>(definition: Command<O>): Command<O> {
  return definition;
}
