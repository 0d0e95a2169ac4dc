/**
 * Re-indents a JSON text that is known to be valid. Works on the text, not on the parsed value, so that every number
 * keeps its digits: 64-bit ids do not fit a JavaScript number. Escapes that are not needed are resolved.
 * undefined if it is nested too deeply, or would become longer than `maxLength`.
 */
export function indentJson(text: string, maxLength: number): string | undefined {
  const hasEscapes = text.includes("\\");
  const breaks = ["\n"];
  let depth = 0;
  let out = "";
  for (let i = 0; i < text.length; ) {
    switch (text.charCodeAt(i)) {
      case QUOTE: {
        const end = stringEnd(text, i);
        const token = text.slice(i, end);
        out += hasEscapes && token.includes("\\") ? JSON.stringify(JSON.parse(token)) : token;
        i = end;
        break;
      }
      case OPEN_BRACE:
      case OPEN_BRACKET: {
        const next = afterSpace(text, i + 1);
        const code = text.charCodeAt(next);
        if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
          out += text[i]! + text[next];
          i = next + 1;
          break;
        }
        if (++depth > MAX_DEPTH) return undefined;
        breaks[depth] ??= `\n${"  ".repeat(depth)}`;
        out += text[i]! + breaks[depth];
        i = next;
        break;
      }
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        out += breaks[--depth]! + text[i];
        i++;
        break;
      case COMMA:
        out += `,${breaks[depth]}`;
        // A long flat list grows here.
        if (out.length > maxLength) return undefined;
        i++;
        break;
      case COLON:
        out += ": ";
        i++;
        break;
      case SPACE:
      case TAB:
      case LINE_FEED:
      case CARRIAGE_RETURN:
        i++;
        break;
      default: {
        const end = wordEnd(text, i);
        out += text.slice(i, end);
        i = end;
      }
    }
  }
  return out.length > maxLength ? undefined : out;
}

/** Many programs cannot handle deeper values. */
const MAX_DEPTH = 500;

const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

function stringEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); ; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
}

function afterSpace(text: string, start: number): number {
  let i = start;
  while (text.charCodeAt(i) <= SPACE) i++;
  return i;
}

/** The end of a number, true, false or null. */
function wordEnd(text: string, start: number): number {
  let i = start + 1;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code <= SPACE || code === COMMA || code === CLOSE_BRACKET || code === CLOSE_BRACE) break;
  }
  return i;
}
