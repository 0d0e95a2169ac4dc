import { describe, expect, test } from "vitest";
import { eventLimit } from "./stream-limits.ts";

async function through(maxBytes: number, text: string, step: number): Promise<string> {
  const bytes = Buffer.from(text);
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += step) controller.enqueue(bytes.subarray(at, at + step));
      controller.close();
    },
  });
  return new Response(stream.pipeThrough(eventLimit(maxBytes)) as never).text();
}

describe.each([1, 2, 7, 10_000])("a stream of events in pieces of %d bytes", (step) => {
  test.each(["\n", "\r\n"])("may be as long as it wants, if its events are small: %j", async (end) => {
    const events = `event: message${end}data: 12345${end}${end}`.repeat(50);
    expect(await through(40, events, step)).toBe(events);
  });

  test.each([
    ["in one line", `data: ${"x".repeat(200)}`],
    ["in many lines", "data: 12345\n".repeat(20)],
    ["in lines with nothing but a sign", "data: 12345\n:\n".repeat(20)],
    ["after small ones", `data: 1\n\ndata: ${"x".repeat(200)}\n\ndata: 1\n\n`],
  ])("is broken off when one grows too large %s", async (_, text) => {
    await expect(through(100, text, step)).rejects.toThrow("an event of more than 100 bytes");
  });
});
