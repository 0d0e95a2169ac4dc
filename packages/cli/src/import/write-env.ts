import { existsSync, lstatSync, readFileSync, statSync } from "node:fs";
import { CliError } from "../cli-error.ts";
import { saveText } from "../edit/save-text.ts";
import { parseDotenv } from "../project/dotenv.ts";
import type { Imported, Variable } from "./imported.ts";

/** What happened to the variables of an import. */
export interface WrittenEnv {
  readonly written: readonly string[];
  /** The file has them already; it was left as it is. */
  readonly kept: readonly string[];
  /** Their values are not in the document, or cannot be written: they stand there as comments. */
  readonly open: readonly string[];
  /** The file was there before, and other users of the machine may read it. */
  readonly isReadableByOthers: boolean;
}

/** Adds the values that were taken out of a document to an env file, which only its owner may read if it is new. */
export async function writeEnv(
  file: string,
  { variables, secrets }: Imported,
  name: string,
): Promise<WrittenEnv> {
  refuseLink(file, name);
  const before = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  const present = new Set(Object.keys(parseDotenv(before ?? "")));
  const added = variables.filter(
    ({ name, required }) => !present.has(name) && (required || secrets.has(name)),
  );
  const lines = added.map((variable) => ({ variable, line: lineOf(variable, secrets.get(variable.name)) }));
  const text = lines.map(
    ({ line, variable }) => `${line ?? `# ${oneLine(variable)}\n# ${variable.name}=`}\n`,
  );
  if (text.length > 0) {
    const start =
      before === undefined || before === "" || before.endsWith("\n") ? (before ?? "") : `${before}\n`;
    await saveText(file, start + text.join(""), before, name, { mode: 0o600 });
  }
  const named = (isWritten: boolean) =>
    lines.filter(({ line }) => (line !== undefined) === isWritten).map(({ variable }) => variable.name);
  return {
    written: named(true),
    open: named(false),
    kept: variables.filter(({ name }) => present.has(name)).map(({ name }) => name),
    isReadableByOthers:
      process.platform !== "win32" && existsSync(file) && (statSync(file).mode & 0o044) !== 0,
  };
}

/** A link in a folder of a stranger's may lead to a file that programs obey, such as a shell's settings. */
function refuseLink(file: string, name: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new CliError(`${name} is a symbolic link; nothing was written.`, {
      hint: "Give --write-env the file that it leads to.",
    });
}

/**
 * undefined: there is no value, or none that an env file can hold. Many read env files with a shell (`. ./.env`), and the value
 * is a stranger's: it is written so that a shell, too, takes it for text.
 */
function lineOf({ name }: Variable, value: string | undefined): string | undefined {
  if (value === undefined || value === "") return undefined;
  const escaped = value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  const candidates = [
    ...(/^[\w@%+=:,./-]+$/.test(value) ? [`${name}=${value}`] : []),
    ...(value.includes("'") ? [] : [`${name}='${value}'`]),
    ...(/[$`]/.test(value) ? [] : [`${name}="${escaped}"`]),
  ];
  return candidates.find((line) => {
    const read = parseDotenv(`${line}\n`);
    return read[name] === value && Object.keys(read).length === 1;
  });
}

function oneLine({ description }: Variable): string {
  return description.replace(/\s+/g, " ");
}
