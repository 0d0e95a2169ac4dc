/** The content of an answer that is one fenced block, as it was written. */
export function fenced(answer: string): { code: string; language: string } | undefined {
  const text = answer.trim();
  const firstLine = text.indexOf("\n");
  const [, fence = "", language = ""] = /^(```|~~~)[ \t]*([\w+#-]*)/.exec(text) ?? [];
  const body = text.slice(firstLine + 1);
  if (fence === "" || firstLine < 0 || !body.endsWith(fence)) return undefined;
  const code = body.slice(0, -fence.length).replace(/\n$/, "");
  return code.includes(fence) ? undefined : { language: language.toLowerCase(), code };
}

/** Signs that prose does not use. */
export function looksLikeCode(text: string): boolean {
  return /[{}]|=>|[=!<>]=|&&|\|\||[\w)\]] ?= ?\S|\w\(|\)\.\w|'\.\w/.test(text);
}

/**
 * Code without its layout: white space goes where it separates nothing. Indentation stays where it may have meaning,
 * strings stay as they are, and an ambiguous space stays too.
 */
export function canonicalCode(code: string, language = ""): string {
  const lines = code
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .join("\n");
  if (INDENTED.has(language) || /:\n[ \t]+\S/.test(lines)) return indented(lines);
  return join(tokens(lines));
}

const INDENTED = new Set(
  "python py python3 yaml yml makefile make haml pug coffee coffeescript fsharp f# haskell hs nim".split(" "),
);

/** Each line's depth as a number, and the line itself without inner layout. */
function indented(lines: string): string {
  const depths: number[] = [0];
  return lines
    .split("\n")
    .map((line) => {
      const width = /^[ \t]*/.exec(line)![0].replaceAll("\t", "        ").length;
      while (depths.at(-1)! > width) depths.pop();
      if (depths.at(-1)! < width) depths.push(width);
      return `${depths.length - 1}|${join(tokens(line.trim()))}`;
    })
    .join("\n");
}

/** Strings (one that is never closed goes on to the end), comments, words, signs, and white space as " " or "\n". */
function tokens(code: string): string[] {
  const found =
    code.match(
      /"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\.|[^`\\])*`?|\/\/[^\n]*|#[^\n]*|\s+|[\p{L}\p{N}_$]+|[-+*/%=<>!&|^~?:.@\\]+|./gu,
    ) ?? [];
  return found.map((token) => (/^\s+$/.test(token) ? (token.includes("\n") ? "\n" : " ") : token));
}

function join(all: readonly string[]): string {
  return all.filter((token, i) => !/^\s$/.test(token) || separates(all, i)).join("");
}

function separates(all: readonly string[], i: number): boolean {
  const [before, after] = [all[i - 1] ?? "", all[i + 1] ?? ""];
  if (/^(?:\/\/|#)/.test(before)) return true; // The end of a comment is the end of its line.
  if (/^[({[,;]$/.test(before) || /^[)}\],;]$/.test(after)) return false;
  if (all[i] === "\n") return before !== "}";
  if (/^[)}\]]$/.test(before) && after === "{") return false;
  // A sign with a space on both sides is a binary operator: `a = 1`; with one, it may be `a -b` or `ls -l`.
  return !(isOperator(after) && all[i + 2] === " ") && !(isOperator(before) && all[i - 2] === " ");
}

const isOperator = (token: string) => /^[-+*/%=<>!&|^~?:]+$/.test(token);
