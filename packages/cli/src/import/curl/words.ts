import { CliError } from "../../cli-error.ts";

/** The words of a command line in a POSIX shell: quotes, backslashes, `$'…'` and continued lines. */
export function shellWords(command: string): string[] {
  return readShellLine(command, false).words;
}

/** A command line as a shell reads it, without what only a shell can do. */
export interface ShellLine {
  readonly words: string[];
  /** What a shell would have replaced: `$NAME`, `${NAME}`, `$(command)`. They are taken as text. */
  readonly expansions: string[];
  /** The operator that ends the command: a pipe, a redirection, the next command. */
  readonly operator?: string;
}

export function readShellLine(command: string, hasOperators = true): ShellLine {
  const text = /\^"/.test(command) ? withoutCarets(command) : command;
  const words: string[] = [];
  const expansions = new Set<string>();
  let word: string | undefined;
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!;
    if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    const operator =
      hasOperators && word === undefined ? OPERATOR.exec(text.slice(index, index + 3))?.[0] : undefined;
    const isSeparator = hasOperators && char === ";" && /^;\s/.test(text.slice(index, index + 2));
    if (operator !== undefined || isSeparator) {
      if (word !== undefined) words.push(word);
      return { words, expansions: [...expansions], operator: operator ?? ";" };
    }
    if (char === "\\" || char === "^") {
      const next = text.slice(index + 1).match(/^\r?\n/)?.[0];
      if (next !== undefined)
        index += next.length; // The line goes on; cmd.exe writes ^ for it.
      else if (char === "\\") word = (word ?? "") + (text[++index] ?? "");
      else word = `${word ?? ""}^`;
      continue;
    }
    const isAnsi = char === "$" && text[index + 1] === "'";
    if (char === "'" || char === '"' || isAnsi) {
      const { value, end } = quoted(text, isAnsi ? index + 1 : index, isAnsi);
      if (char === '"') findExpansions(text.slice(index + 1, end), expansions);
      word = (word ?? "") + value;
      index = end;
      continue;
    }
    if (char === "$") findExpansions(text.slice(index, index + 100), expansions, true);
    word = (word ?? "") + char;
  }
  if (word !== undefined) words.push(word);
  return { words, expansions: [...expansions] };
}

/** At the beginning of a word. A single & inside one is more often an address without quotes than a second command. */
const OPERATOR = /^(?:\d?>>?|<|\|\|?|&&|&(?=\s|$)|;)/;
const EXPANSION = /(?<!\\)(?:\\\\)*(\$[A-Za-z_]\w*|\$\{\w+\}|\$\()/g;

function findExpansions(text: string, found: Set<string>, isFirst = false): void {
  for (const { 1: name = "", index } of text.matchAll(EXPANSION)) {
    if (isFirst && index > 0) return;
    found.add(name === "$(" ? "$(…)" : name);
  }
}

/** As browsers copy for cmd.exe: every special character has a caret before it. */
function withoutCarets(command: string): string {
  return command.replace(/\^\r?\n/g, " ").replace(/\^([\s\S])/g, "$1");
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  "0": "\0",
  a: "\x07",
  b: "\b",
  e: "\x1b",
};

function quoted(text: string, start: number, isAnsi: boolean): { value: string; end: number } {
  const quote = text[start]!;
  let value = "";
  for (let index = start + 1; index < text.length; index++) {
    const char = text[index]!;
    if (char === quote) return { value, end: index };
    if (char !== "\\" || (quote === "'" && !isAnsi)) {
      value += char;
      continue;
    }
    const rest = text.slice(index + 1);
    const code = isAnsi ? /^(?:u([0-9a-fA-F]{1,4})|x([0-9a-fA-F]{1,2}))/.exec(rest) : null;
    if (code) {
      value += String.fromCharCode(Number.parseInt(code[1] ?? code[2]!, 16));
      index += code[0].length;
    } else if (isAnsi) {
      value += ESCAPES[rest[0] ?? ""] ?? rest[0] ?? "";
      index += 1;
    } else if (/^["\\$`]/.test(rest)) {
      value += rest[0];
      index += 1;
    } else if (/^\r?\n/.test(rest)) index += rest.match(/^\r?\n/)![0].length;
    else value += char;
  }
  throw new CliError(`The command has a quote that is not closed: ${quote}`, {
    exitCode: 2,
    hint: "Copy the command whole, and quote it as one argument.",
  });
}
