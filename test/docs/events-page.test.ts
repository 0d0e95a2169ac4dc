import { expect, it } from "vitest";
import { RunEvent } from "../../packages/council-server/src/api/event-schemas.ts";
import { readPage } from "./markdown.ts";

/** The text above the table says what every event has, and what the last one has. */
const COMMON = ["v", "request_id", "seq", "ts", "type"];
const LAST = ["run.response", "run.error"];

it("docs/council/events.md lists every event with its fields, as the schemas have them [A-schemas]", () => {
  const { text } = readPage("docs/council/events.md");
  const rows = [...text.matchAll(/^\| `(\w+\.\w+)` \| (.*?) \|/gm)].map(([, type, fields]) => [
    type,
    [...fields!.matchAll(/`(\w+)`/g)].map(([, name]) => name!).toSorted(),
  ]);
  const events = RunEvent.options
    .map(({ shape }) => ({ type: shape.type.value, fields: Object.keys(shape) }))
    .filter(({ type }) => !LAST.includes(type))
    .map(({ type, fields }) => [type, fields.filter((name) => !COMMON.includes(name)).toSorted()]);
  expect(events.length).toBeGreaterThan(25);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(events));
});
