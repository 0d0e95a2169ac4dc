export interface CsvRecord {
  /** Where it begins. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** Records of comma- or tab-separated values, quoted as RFC 4180 says. Throws for a quote without an end. */
export function readCsv(text: string, separator: "," | "\t"): readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  let fields: string[] = [];
  let [at, line, begins] = [0, 1, 1];
  const endRecord = () => {
    if (fields.some((field) => field !== "")) records.push({ line: begins, fields });
    fields = [];
    begins = line;
  };
  while (at < text.length) {
    if (text[at] === '"') {
      const { value, end, lines } = readQuoted(text, at, line);
      at = end;
      line += lines;
      // What follows a closing quote belongs to the field, as spreadsheets read it.
      const rest = endOfField(text, at, separator);
      fields.push(value + text.slice(at, rest));
      at = rest;
    } else {
      const end = endOfField(text, at, separator);
      fields.push(text.slice(at, end));
      at = end;
    }
    if (at >= text.length) break;
    if (text[at] === separator) {
      at++;
      if (at >= text.length || text[at] === "\n" || text[at] === "\r") fields.push("");
      if (at < text.length && text[at] !== "\n" && text[at] !== "\r") continue;
    }
    if (text[at] === "\r") at++;
    if (text[at] === "\n") at++;
    line++;
    endRecord();
  }
  endRecord();
  return records;
}

function endOfField(text: string, from: number, separator: string): number {
  let at = from;
  while (at < text.length && text[at] !== separator && text[at] !== "\n" && text[at] !== "\r") at++;
  return at;
}

function readQuoted(text: string, from: number, line: number) {
  const parts: string[] = [];
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) throw new Error(`line ${line}: a quoted field has no end`);
    parts.push(text.slice(at, quote));
    if (text[quote + 1] !== '"') {
      const value = parts.join('"');
      return { value, end: quote + 1, lines: value.split("\n").length - 1 };
    }
    at = quote + 2;
  }
}
