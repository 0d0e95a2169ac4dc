import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { shellWord } from "@mci-ts/primitives/shell-word";
import { CliError, usageError } from "../cli-error.ts";
import { shortPath } from "../print/problems.ts";

const DEFAULT_NAMES = ["mci.json", "mci.yaml", "mci.yml"] as const;
const FILTER = /^(only|except|tags|withoutTags|without-tags|toolsets):/;
const MCI_FILE_NAME = /^[^.].*\.mci\.(json|yaml|yml)$/;

/** The MCI file to work with, absolute: the one given, else `mci.json|yaml|yml`, else the only `*.mci.*` of the folder. */
export function discoverFile(nameOrPath: string | undefined, cwd: string): string {
  if (nameOrPath !== undefined) {
    const file = resolve(cwd, nameOrPath);
    // -f is --file here; elsewhere it stands for a filter.
    if (FILTER.test(nameOrPath) && !existsSync(file))
      throw usageError(
        `'${nameOrPath}' is a filter, and -f names the file.`,
        `Write --filter ${nameOrPath}.`,
      );
    return file;
  }
  const usual = defaultFile(cwd);
  if (usual !== undefined) return join(cwd, usual);

  const named = readdirSync(cwd)
    .filter((name) => MCI_FILE_NAME.test(name))
    .sort();
  if (named.length > 1) {
    throw new CliError(`Several MCI files in ${cwd}: ${named.join(", ")}.`, {
      hint: `Choose one with --file ${named[0]}.`,
    });
  }
  if (named[0] !== undefined) return join(cwd, named[0]);
  throw new CliError(`No MCI schema file found in ${cwd}.`, {
    hint: "Run 'mci init' to create one, or name one with --file.",
  });
}

/** ` --file FILE` for a command that advice names, or nothing where that command finds the file by itself. */
export function fileOption(file: string, cwd: string): string {
  try {
    if (discoverFile(undefined, cwd) === file) return "";
  } catch {
    // There is none in this folder, or more than one.
  }
  return ` --file ${shellWord(shortPath(file, cwd))}`;
}

/** The name of the default file, if there is one. */
export function defaultFile(folder: string): string | undefined {
  return DEFAULT_NAMES.find((name) => existsSync(join(folder, name)));
}
