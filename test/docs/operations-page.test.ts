import { expect, test } from "vitest";
import { DATABASE_ERRORS } from "../../packages/council-postgres/src/database/database-error.ts";
import { SETTINGS } from "../../packages/council-server/src/config/settings.ts";
import { readPage } from "./markdown.ts";

const { text } = readPage("docs/operations.md");

test("every error code of the database is on the page, with its meaning", () => {
  const rows = [...text.matchAll(/^\| `(\w+)` \| (.+?) \| .+ \|$/gm)].map(([, code, meaning]) => [
    code,
    meaning,
  ]);
  expect(Object.fromEntries(rows)).toEqual(DATABASE_ERRORS);
});

test("every setting that the pages on operations name exists", () => {
  const named = [text, readPage("docs/scaling.md").text].flatMap(
    (page) => page.match(/\bMCI_[A-Z_]+|DATABASE_URL/g) ?? [],
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !(name in SETTINGS))).toEqual([]);
});
