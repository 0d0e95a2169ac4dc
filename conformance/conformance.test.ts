import { readFileSync } from "node:fs";
import Ajv from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { judge } from "./run/judge.ts";
import { mciTs } from "./run/mci-ts.ts";
import { readCases } from "./run/read-cases.ts";
import { stage } from "./run/stage.ts";
import { startWorld, type World } from "./run/world.ts";

const files = readCases();
const cases = files.flatMap((file) => file.cases);

describe("the case files", () => {
  const schema = JSON.parse(readFileSync(new URL("./case.schema.json", import.meta.url), "utf8"));
  const validate = new Ajv.default({ allErrors: true, strictTypes: false }).compile(schema);

  test.each(files)("$file fits case.schema.json", ({ file: _, ...content }) => {
    validate(content);
    expect(validate.errors ?? []).toEqual([]);
  });

  test.each(files)("$file lies in the folder of its topic, and so do its ids", ({ file, topic, cases }) => {
    expect(file.startsWith(`${topic}/`)).toBe(true);
    expect(cases.map(({ id }) => id).filter((id) => !id.startsWith(`${topic}/`))).toEqual([]);
  });

  test("every id and every title of a file is there once", () => {
    expect(duplicates(cases.map(({ id }) => id))).toEqual([]);
    for (const { file, cases } of files) {
      expect(duplicates(cases.map(({ title }) => title)), file).toEqual([]);
    }
  });

  test("every topic that the README lists has cases, and no other", () => {
    const readme = readFileSync(new URL("./README.md", import.meta.url), "utf8");
    const listed = [...readme.matchAll(/^\| `([a-z]+)\/` \|/gm)].map(([, topic]) => topic);
    expect([...new Set(files.map(({ topic }) => topic))].sort()).toEqual(listed.sort());
  });
});

describe("mci-ts", () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  describe.each(files)("$file", ({ cases }) => {
    test.each(cases)("$id: $title", async (each) => {
      const staged = stage(each, world.places);
      try {
        expect(judge(staged, await mciTs(staged.task))).toEqual([]);
      } finally {
        staged.remove();
      }
    });
  });
});

function duplicates(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}
