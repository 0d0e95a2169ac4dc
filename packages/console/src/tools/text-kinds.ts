const MAX_CSV_CHARS = 1_000_000;

/** Rows of a text of comma- or tab-separated values with a header; undefined for any other text. */
export function parseCsv(text: string): readonly Record<string, string>[] | undefined {
  if (text.length > MAX_CSV_CHARS) return undefined;
  const [head = ""] = text.split("\n", 1);
  const separator = ["\t", ";", ","].find((each) => head.includes(each));
  if (separator === undefined) return undefined;
  const rows = cells(text.replace(/(?<![\r\n])[\r\n]+$/, ""), separator);
  const [header = [], ...data] = rows;
  // Prose has commas, too: a table has as many in each line, and names at its top.
  const isTable =
    header.length > 1 &&
    data.length > 0 &&
    data.every((row) => row.length === header.length) &&
    new Set(header).size === header.length &&
    header.every((name) => name !== "" && name.length <= 60 && !/[.!?]$/.test(name));
  if (!isTable || (data.length < 2 && separator === ",")) return undefined;
  return data.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index]!])));
}

/** By the rules of RFC 4180: quotes around a cell, two for one inside. */
function cells(text: string, separator: string): string[][] {
  const rows: string[][] = [[]];
  let cell = "";
  let isQuoted = false;
  for (let i = 0; i <= text.length; i++) {
    const character = text[i];
    if (isQuoted && character !== undefined) {
      if (character !== '"') cell += character;
      else if (text[i + 1] === '"') cell += text[++i];
      else isQuoted = false;
    } else if (character === '"' && cell === "") isQuoted = true;
    else if (character === separator || character === "\n" || character === undefined) {
      rows.at(-1)!.push(cell.replace(/\r$/, ""));
      cell = "";
      if (character === "\n") rows.push([]);
    } else cell += character;
  }
  return rows;
}

/** Headings, lists, tables, code or links at the beginning of lines. */
export function looksLikeMarkdown(text: string): boolean {
  const start = text.slice(0, 5000);
  return /^#{1,6} \S/m.test(start) || /^```/m.test(start) || /^\|.+\|\s*\n\|[\s:|-]+\|/m.test(start);
}
