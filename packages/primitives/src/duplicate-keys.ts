/** JSON.parse keeps one of each key: a text with duplicates has more keys than its value. */
export function hasDuplicateKeys(text: string, data: unknown): boolean {
  return keysInText(text) > keysInValue(data);
}

function keysInText(text: string): number {
  let count = 0;
  for (let open = text.indexOf('"'); open !== -1; ) {
    let next = endOfString(text, open);
    while (text.charCodeAt(next) <= SPACE) next++;
    if (text.charCodeAt(next) === COLON) count++;
    open = text.indexOf('"', next);
  }
  return count;
}

/** The offset behind the closing quote: the first one with an even number of backslashes before it. */
function endOfString(text: string, open: number): number {
  for (let close = text.indexOf('"', open + 1); ; close = text.indexOf('"', close + 1)) {
    let before = close;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((close - before) % 2 === 0) return close + 1;
  }
}

/** No other white space of JSON is above it. */
const SPACE = 0x20;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** With a list instead of recursion: JSON.parse reads texts that are nested deeper than the stack. */
function keysInValue(data: unknown): number {
  let count = 0;
  const left: object[] = isContainer(data) ? [data] : [];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (items !== value) count += items.length;
    for (const item of items) if (isContainer(item)) left.push(item);
  }
  return count;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
