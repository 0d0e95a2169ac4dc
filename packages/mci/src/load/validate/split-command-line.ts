/** How to write a whole command line, as for a shell, in an MCI file: there `command` is one program. */
export function splitCommandLine(
  line: string,
): { readonly command: string; readonly args: string[] } | undefined {
  const { words, needsShell, isOpen } = shellWords(line);
  const [command, ...args] = words;
  // A caller's value in a shell's text would become code, and an open quote means nothing.
  if (command === undefined || isOpen || (needsShell && /\{\{|\{!!/.test(line))) return undefined;
  return needsShell ? { command: "sh", args: ["-c", line.trim()] } : { command, args };
}

/** A command's arguments in one text, as a list; undefined if a quote is open. */
export function splitArguments(text: string): string[] | undefined {
  const { words, isOpen } = shellWords(text);
  return isOpen ? undefined : words;
}

/** The words as a shell would split them. `needsShell`: an operator, a variable or a pattern stands outside of quotes. */
function shellWords(line: string): { words: string[]; needsShell: boolean; isOpen: boolean } {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  let needsShell = false;
  for (let index = 0; index < line.length; index++) {
    const char = line[index]!;
    const placeholder = quote === "'" ? "" : placeholderAt(line, index);
    if (placeholder !== "") {
      word = (word ?? "") + placeholder;
      index += placeholder.length - 1;
      continue;
    }
    if (quote === "'" ? char === "'" : quote === '"' && char === '"') quote = "";
    else if (quote === "'") word += char;
    else if (char === "\\" && index + 1 < line.length) word = (word ?? "") + line[++index];
    else if (quote === '"') {
      needsShell ||= char === "$" || char === "`";
      word += char;
    } else if (char === "'" || char === '"') {
      quote = char;
      word ??= "";
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      needsShell ||= /[|&;<>()$`*?[\]~#!]/.test(char);
      word = (word ?? "") + char;
    }
  }
  if (word !== undefined) words.push(word);
  return { words, needsShell, isOpen: quote !== "" };
}

/** Longer ones are not looked for: each may search the rest of the line. */
const MAX_PLACEHOLDER = 1000;

/** A placeholder is one piece, whatever is in it. */
function placeholderAt(line: string, index: number): string {
  const closer = line.startsWith("{{", index) ? "}}" : line.startsWith("{!!", index) ? "!!}" : undefined;
  if (closer === undefined) return "";
  const end = line.slice(0, index + MAX_PLACEHOLDER).indexOf(closer, index);
  return end < 0 ? "" : line.slice(index, end + closer.length);
}
