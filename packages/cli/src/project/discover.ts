import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { Failure } from "../failure.ts";

const DEFAULTS = ["mci.json", "mci.yaml", "mci.yml"] as const;
const NAMED = /^[^.].*\.mci\.(json|yaml|yml)$/;

/** The MCI file to work with, absolute: the one given, else `mci.json|yaml|yml`, else the only `*.mci.*` of the folder. */
export function discoverFile(given: string | undefined, cwd: string): string {
  if (given !== undefined) return resolve(cwd, given);
  const usual = usualFile(cwd);
  if (usual !== undefined) return join(cwd, usual);

  const named = readdirSync(cwd)
    .filter((name) => NAMED.test(name))
    .sort();
  if (named.length > 1) {
    throw new Failure(`Several MCI files in ${cwd}: ${named.join(", ")}.`, {
      hint: `Choose one with --file ${named[0]}.`,
    });
  }
  if (named[0] !== undefined) return join(cwd, named[0]);
  throw new Failure(`No MCI schema file found in ${cwd}.`, {
    hint: "Run 'mci init' to create one, or name one with --file.",
  });
}

/** The name of the file that is taken when none is given, if there is one. */
export function usualFile(folder: string): string | undefined {
  return DEFAULTS.find((name) => existsSync(join(folder, name)));
}
