import { canonicalCode, looksLikeCode } from "../canonical/code.ts";
import { canonicalJson } from "../canonical/json.ts";
import { canonicalCommand } from "./command.ts";

/**
 * The form in which two spellings of one text are equal. `name`: of the argument that holds it. Only what surely means the same is
 * merged: a wrong merge elects a wrong action, a wrong split costs a call.
 */
export function canonicalFreeText(text: string, name: string): string {
  const trimmed = text.replaceAll("\r\n", "\n").trim();
  if (trimmed.length > MAX_CHARS) return `text:${trimmed}`;
  const json = canonicalJson(trimmed);
  if (json !== undefined) return `json:${json}`;
  const command = COMMAND.test(name) ? canonicalCommand(trimmed) : undefined;
  if (command !== undefined) return `command:${command}`;
  if (trimmed.includes("\n") || CODE.test(name))
    return looksLikeCode(trimmed) ? `code:${canonicalCode(trimmed)}` : `lines:${tidyLines(trimmed)}`;
  return `text:${trimmed.replace(/\s+/g, " ")}`;
}

/** Beyond this, a text is compared as it was written. */
const MAX_CHARS = 20_000;

const COMMAND = /^(cmd|command|commands|command_?line|shell|bash|exec|run)$/i;
const CODE = /^(code|source|script|snippet|program)$/i;

/** Without white space at the ends of lines, and without empty lines at the end. */
const tidyLines = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
