/**
 * Re-indents a JSON text that is known to be valid. Works on the text, not on the parsed value, so that every number
 * keeps its digits: 64-bit ids do not fit a JavaScript number. Escapes that are not needed are resolved.
 * undefined if it is nested too deeply, or would become longer than `maxLength`.
 */
export function indentJson(text: string, maxLength: number): string | undefined {
  let out = "";
  let depth = 0;
  for (let i = 0; i < text.length; ) {
    const char = text[i]!;
    switch (char) {
      case '"': {
        const end = stringEnd(text, i);
        const token = text.slice(i, end);
        out += token.includes("\\") ? JSON.stringify(JSON.parse(token)) : token;
        i = end;
        break;
      }
      case "{":
      case "[": {
        const next = afterSpace(text, i + 1);
        if (text[next] === "}" || text[next] === "]") {
          out += char + text[next];
          i = next + 1;
        } else {
          if (++depth > MAX_DEPTH) return undefined;
          out += char + lineBreak(depth);
          i = next;
        }
        break;
      }
      case "}":
      case "]":
        out += lineBreak(--depth) + char;
        i++;
        break;
      case ",":
        out += char + lineBreak(depth);
        i = afterSpace(text, i + 1);
        break;
      case ":":
        out += ": ";
        i = afterSpace(text, i + 1);
        break;
      case " ":
      case "\t":
      case "\n":
      case "\r":
        i++;
        break;
      default: {
        const end = wordEnd(text, i);
        out += text.slice(i, end);
        i = end;
      }
    }
    if (out.length > maxLength) return undefined;
  }
  return out;
}

/** Deeper values are trouble for whoever handles them next. */
const MAX_DEPTH = 500;

function lineBreak(depth: number): string {
  return `\n${"  ".repeat(depth)}`;
}

function stringEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); ; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
}

function afterSpace(text: string, start: number): number {
  let i = start;
  while (text[i] === " " || text[i] === "\n" || text[i] === "\t" || text[i] === "\r") i++;
  return i;
}

/** A number, true, false or null. */
function wordEnd(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && !",]} \n\t\r".includes(text[i]!)) i++;
  return i;
}
