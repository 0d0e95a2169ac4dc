import { expect, expectTypeOf, test } from "vitest";
import { Setting, type WrittenSettings, writeServer, writeSettings } from "./setting.ts";

test("written settings with something added are not written settings", () => {
  const written = writeSettings({ a: "{{env.X}}" }, new Set());
  const copy = { ...written, b: "{{env.X}}" };
  expectTypeOf(written).toExtend<WrittenSettings>();
  expectTypeOf(copy).not.toExtend<WrittenSettings>();
  expect(copy.b).toBe("{{env.X}}"); // As it came: that is why.
});

test("a server may read the variables of its settings, and the import knows them", () => {
  const read = new Set(["OTHER"]);
  const server = writeServer({ command: "x{{env.Y}}", env: { A: Setting.variable("KEY") } }, read);
  expect(server["envAllowList"]).toEqual(["KEY"]);
  expect([...read]).toEqual(["OTHER", "KEY"]);
});
