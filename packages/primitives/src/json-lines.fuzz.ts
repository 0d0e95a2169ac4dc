import * as fc from "fast-check";
import { JsonLineReader } from "./json-lines.ts";

const cuts = fc.array(fc.nat(), { maxLength: 10 });

/** Everything that is read from bytes that arrive in pieces. */
function readInPieces(bytes: Buffer, positions: readonly number[], maxBytes: number): unknown[] {
  const reader = new JsonLineReader(maxBytes);
  const ends = [...new Set(positions.map((position) => position % (bytes.length + 1))), bytes.length];
  let start = 0;
  return ends
    .sort((a, b) => a - b)
    .flatMap((end) => {
      const chunk = bytes.subarray(start, end);
      start = end;
      return [...reader.read(chunk)];
    });
}

export default [
  {
    name: "message readers: however a stream is cut, the same values are read",
    property: fc.property(fc.array(fc.jsonValue(), { maxLength: 5 }), cuts, (values, positions) => {
      const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
      const expected = values.map((value) => ({ value: JSON.parse(JSON.stringify(value)) as unknown }));
      return JSON.stringify(readInPieces(bytes, positions, 1e6)) === JSON.stringify(expected);
    }),
  },
  {
    name: "message readers: any bytes are read without an exception, and the line after them is found",
    property: fc.property(
      fc.uint8Array({ maxLength: 300 }),
      cuts,
      fc.nat(100),
      (noise, positions, maxBytes) => {
        const bytes = Buffer.concat([noise, Buffer.from("\n17\n")]);
        return JSON.stringify(readInPieces(bytes, positions, maxBytes + 2).at(-1)) === '{"value":17}';
      },
    ),
  },
];
