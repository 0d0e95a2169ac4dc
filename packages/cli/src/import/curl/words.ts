/** The words of a command line in a POSIX shell: quotes, backslashes, `$'…'` and continued lines. */
export function shellWords(command: string): string[] {
  const text = /\^"/.test(command) ? withoutCarets(command) : command;
  const words: string[] = [];
  let word: string | undefined;
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!;
    if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
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
      word = (word ?? "") + value;
      index = end;
      continue;
    }
    word = (word ?? "") + char;
  }
  if (word !== undefined) words.push(word);
  return words;
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
  return { value, end: text.length };
}
