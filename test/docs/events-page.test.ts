import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readPage, root } from "./markdown.ts";

const source = readFileSync(`${root}packages/council/src/events.ts`, "utf8");
const rows = new Map(
  readPage("docs/council/events.md")
    .text.split("\n")
    .flatMap((line): [string, string[]][] => {
      const [, type, fields] = /^\| `(\w+\.\w+)` \| (.*?) \|/.exec(line) ?? [];
      return type === undefined ? [] : [[type, [...fields!.matchAll(/`(\w+)`/g)].map(([, name]) => name!)]];
    }),
);
/** The events that name their fields themselves. */
const events = [...source.matchAll(/\{\s*readonly type: "([\w.]+)";([^}]*)\}/g)].map(([, type, fields]) => ({
  type: type!,
  fields: [...fields!.matchAll(/readonly (\w+)\??:/g)].map(([, name]) => name!),
}));

it("docs/council/events.md lists every type of event", () => {
  const types = [...source.matchAll(/readonly type: "([\w.]+)"/g)].map(([, type]) => type!);
  expect(types.length).toBeGreaterThan(25);
  expect([...rows.keys()].toSorted()).toEqual(types.toSorted());
});

it.each(events.filter(({ fields }) => fields.length > 0))(
  "$type has the fields that the page says",
  ({ type, fields }) => {
    expect(rows.get(type)?.toSorted()).toEqual(fields.toSorted());
  },
);
