import { ERROR_CODES } from "mci-ts";
import { describe, expect, test } from "vitest";
import { readPage } from "./markdown.ts";

const { text } = readPage("docs/errors.md");
const [, exceptions, failures] = text.split(/^## Codes of .+$/m);

describe.each([
  ["exceptions", exceptions!, ERROR_CODES.client],
  ["failed tools", failures!, ERROR_CODES.tool],
])("codes of %s", (_, section, codes) => {
  const rows = [...section.matchAll(/^\| `(\w+)` \| (.+?) \| (.*?) ?\|$/gm)];

  test("are all listed, each once, and no others", () => {
    expect(rows.map(([, code]) => code).sort()).toEqual(Object.keys(codes).sort());
  });

  test("have a meaning", () => {
    expect(rows.filter(([, , meaning]) => meaning!.length < 10)).toEqual([]);
  });
});
