import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { shellWord } from "@mci-ts/primitives/shell-word";
import { CliError } from "../cli-error.ts";
import type { Context } from "../command.ts";
import { shortPath } from "../print/problems.ts";
import { saveText } from "./save-text.ts";

export interface Generated {
  /** The command that writes the file from `file`, and the options that it needs to write the same text to the same place. */
  readonly command: string;
  readonly options: readonly string[];
  readonly file: string;
  readonly text: string;
  /** Nothing is written: a file that is not up to date is an error. */
  readonly check: boolean;
  isGenerated(before: string): boolean;
  /** What to do about a file that a person wrote. */
  readonly advice: string;
  /** What is said after the file's name when it was written. */
  readonly end: string;
}

/** Writes a file that is the same for the same tools. One that a person wrote is left as it is. */
export async function saveGenerated(
  path: string,
  { command, options, file, text, check, isGenerated, advice, end }: Generated,
  { cwd, stderr }: Context,
): Promise<void> {
  const name = shortPath(path, cwd);
  const before = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  if (before === text) return stderr.write(`${name} is up to date.\n`);
  if (check) {
    const state = before === undefined ? "does not exist" : "is out of date";
    const words = [shortPath(file, cwd), ...options].map(shellWord);
    throw new CliError(`${name} ${state}.`, { hint: `Run '${command} ${words.join(" ")}'.` });
  }
  if (before !== undefined && !isGenerated(before))
    throw new CliError(`${name} was not written by '${command}', and is left as it is.`, { hint: advice });
  mkdirSync(dirname(path), { recursive: true });
  await saveText(path, text, before, name);
  stderr.write(`Wrote ${name}${end}\n`);
}
