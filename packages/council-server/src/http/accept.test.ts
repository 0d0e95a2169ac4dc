import { expect, it } from "vitest";
import { prefersEvents } from "./accept.ts";

it.each([
  ["text/event-stream", true],
  ["Text/Event-Stream; charset=utf-8", true],
  ["text/event-stream, application/json", true],
  ["application/json;q=0.5, text/event-stream", true],
  ["text/event-stream, */*;q=0.1", true],
  ["application/json, text/event-stream", false],
  ["text/event-stream;q=0.2, application/json", false],
  ["text/event-stream;q=0", false],
  ["text/event-stream;q=high", false],
  ["application/json", false],
  ["*/*", false],
  ["", false],
  [undefined, false],
])("Accept: %s asks for events: %s [A-accept]", (accept, events) => {
  expect(prefersEvents(accept)).toBe(events);
});
