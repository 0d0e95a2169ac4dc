import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { SETTINGS } from "../../packages/server/src/config/settings.ts";

const folder = new URL("../../deploy/", import.meta.url);

/** Variables of other programs in these files. */
const FOREIGN = /^POSTGRES_/;

describe.each(readdirSync(folder).filter((file) => file.endsWith(".yaml")))("deploy/%s", (file) => {
  const documents = parseAllDocuments(readFileSync(new URL(file, folder), "utf8"));

  test("is YAML without errors or warnings", () => {
    expect(documents.length).toBeGreaterThan(0);
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
  });

  test("names only settings that exist, the database and the token among them", () => {
    const named = documents
      .flatMap((document) => variables(document.toJS()))
      .filter((name) => !FOREIGN.test(name));
    expect(named).toEqual(expect.arrayContaining(["DATABASE_URL", "MCI_TOKEN", "HOST", "PORT"]));
    expect(named.filter((name) => !(name in SETTINGS))).toEqual([]);
  });
});

/** Names under `environment`, `stringData` and in `env`, wherever they stand. */
function variables(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(variables);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === "environment" || key === "stringData") return Object.keys(inner as object);
    if (key === "env") return (inner as { name: string }[]).map(({ name }) => name);
    return variables(inner);
  });
}
