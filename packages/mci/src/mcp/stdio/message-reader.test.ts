import { describe, expect, test } from "vitest";
import { MessageReader } from "./message-reader.ts";

const line = (id: number, text = "") => `${JSON.stringify({ jsonrpc: "2.0", id, result: { text } })}\n`;
const ids = (messages: Iterable<object>) => [...messages].map((message) => (message as { id: number }).id);

describe("messages out of a stream of bytes", () => {
  test("several in one chunk, in order", () => {
    const reader = new MessageReader(1000);
    expect(ids(reader.read(Buffer.from(line(1) + line(2) + line(3))))).toEqual([1, 2, 3]);
  });

  test("every way to cut the stream gives the same messages, also inside a character", () => {
    const bytes = Buffer.from(line(1, "añ€🎈") + line(2, "\r") + line(3));
    for (let first = 0; first <= bytes.length; first++) {
      const reader = new MessageReader(1000);
      const cut = first + Math.floor((bytes.length - first) / 2);
      const chunks = [bytes.subarray(0, first), bytes.subarray(first, cut), bytes.subarray(cut)];
      const messages = chunks.flatMap((chunk) => [...reader.read(chunk)]);
      expect(messages).toEqual([
        { jsonrpc: "2.0", id: 1, result: { text: "añ€🎈" } },
        { jsonrpc: "2.0", id: 2, result: { text: "\r" } },
        { jsonrpc: "2.0", id: 3, result: { text: "" } },
      ]);
    }
  });

  test("what is no message is passed over", () => {
    const reader = new MessageReader(1000);
    const noise = 'Listening…\r\n\n{"half": \n"text"\n17\nnull\n';
    expect(ids(reader.read(Buffer.from(`${noise}${line(7).trimEnd()}\r\n`)))).toEqual([7]);
  });

  test("a byte order mark before the first is no part of it", () => {
    expect(ids(new MessageReader(1000).read(Buffer.from(`\ufeff${line(1)}${line(2)}`)))).toEqual([1, 2]);
  });

  test("a list of messages is its messages", () => {
    const reader = new MessageReader(1000);
    const list = `[${line(1).trimEnd()}, 5, ${line(2).trimEnd()}]\n`;
    expect(ids(reader.read(Buffer.from(list)))).toEqual([1, 2]);
  });

  test("a line may be as long as allowed, not longer, in one chunk or many", () => {
    const bytes = Buffer.from(line(1, "x".repeat(500)));
    const size = bytes.length - 1;
    for (const step of [1, 100, bytes.length]) {
      const read = (maxBytes: number) => {
        const reader = new MessageReader(maxBytes);
        const found: number[] = [];
        for (let at = 0; at < bytes.length; at += step)
          found.push(...ids(reader.read(bytes.subarray(at, at + step))));
        return found;
      };
      expect(read(size)).toEqual([1]);
      expect(() => read(size - 1)).toThrow(`a message of more than ${size - 1} bytes`);
    }
  });

  test("many small messages together may be larger than one may be", () => {
    const reader = new MessageReader(100);
    const many = Array.from({ length: 50 }, (_, id) => line(id)).join("");
    expect(ids(reader.read(Buffer.from(many)))).toHaveLength(50);
  });
});
