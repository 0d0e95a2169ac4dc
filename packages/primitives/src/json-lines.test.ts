import { expect, test } from "vitest";
import { JsonLineReader } from "./json-lines.ts";

const read = (maxBytes: number, ...chunks: (string | Buffer)[]) => {
  const reader = new JsonLineReader(maxBytes);
  return chunks.flatMap((chunk) => [...reader.read(Buffer.from(chunk))]);
};

test("every way to cut the stream gives the same values, also inside a character", () => {
  const bytes = Buffer.from('{"a":"añ€🎈"}\r\n\n[1]\n');
  for (let first = 0; first <= bytes.length; first++) {
    const cut = first + Math.floor((bytes.length - first) / 2);
    const chunks = [bytes.subarray(0, first), bytes.subarray(first, cut), bytes.subarray(cut)];
    expect(read(100, ...chunks)).toEqual([{ value: { a: "añ€🎈" } }, { value: [1] }]);
  }
});

test("a line that is not JSON does not spoil the next", () => {
  expect(read(100, "Listening…\n1\n")).toEqual([{ error: "not_json" }, { value: 1 }]);
});

test("a line may be as long as allowed; a longer one is reported and skipped", () => {
  for (const step of [1, 3, 100]) {
    const text = `"${"x".repeat(8)}"\n"${"x".repeat(9)}"\n2\n`;
    const chunks = Array.from({ length: Math.ceil(text.length / step) }, (_, index) =>
      text.slice(index * step, (index + 1) * step),
    );
    expect(read(10, ...chunks)).toEqual([
      { value: "xxxxxxxx" },
      { error: "too_long" },
      { error: "too_long_end" },
      { value: 2 },
    ]);
  }
});

test("a line without end is reported before its end, and not buffered", () => {
  const reader = new JsonLineReader(1000);
  const chunk = Buffer.alloc(700, "x");
  expect([...reader.read(chunk)]).toEqual([]);
  expect([...reader.read(chunk)]).toEqual([{ error: "too_long" }]);
  expect([...reader.read(chunk)]).toEqual([]);
  expect([...reader.read(Buffer.from("\n1\n"))]).toEqual([{ error: "too_long_end" }, { value: 1 }]);
});

test("every part of a line that is too long is passed on, from its beginning", () => {
  let skipped = "";
  const reader = new JsonLineReader(4, (part) => {
    skipped += Buffer.from(part).toString();
  });
  for (const chunk of ["1\nabc", "def", "gh\n2\n"]) [...reader.read(Buffer.from(chunk))];
  expect(skipped).toBe("abcdefgh");
});

test("a byte order mark before the first value is not part of it", () => {
  expect(read(100, "\ufeff1\n")).toEqual([{ value: 1 }]);
});
