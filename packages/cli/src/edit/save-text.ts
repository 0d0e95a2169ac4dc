import { writeFileSync } from "node:fs";
import { CliError } from "../cli-error.ts";
import { replaceIfUnchanged } from "./replace-if-unchanged.ts";

/**
 * Writes the text of a file of which `before` was read; undefined: there was none. If it was changed, made or removed since then,
 * nothing is written, so that no change of another program is lost. `name` is how messages call the file.
 */
export async function saveText(
  file: string,
  text: string,
  before: string | undefined,
  name: string,
  options: { readonly mode?: number } = {},
): Promise<void> {
  const isSaved = await (before === undefined
    ? create(file, text, options.mode)
    : replaceIfUnchanged(file, text, (current) => current === before).catch(unlessCode("ENOENT")));
  if (!isSaved)
    throw new CliError(`${name} was changed by something else meanwhile; nothing was written.`, {
      hint: "Run the command again.",
    });
}

async function create(file: string, text: string, mode: number | undefined): Promise<boolean> {
  try {
    writeFileSync(file, text, { flag: "wx", ...(mode === undefined ? {} : { mode }) });
    return true;
  } catch (error) {
    return unlessCode("EEXIST")(error);
  }
}

function unlessCode(code: string): (error: unknown) => false {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code === code) return false;
    throw error;
  };
}
