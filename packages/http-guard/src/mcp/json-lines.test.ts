import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { JsonLines } from "./json-lines.ts";

const read = (...chunks: (string | Buffer)[]) => {
  const lines = new JsonLines();
  return chunks.flatMap((chunk) => [...lines.read(Buffer.from(chunk))]);
};
const request = { jsonrpc: "2.0", id: 1, method: "ping" };
const line = `${JSON.stringify(request)}\n`;

test("a chunk may hold several messages, a part of one, or both", () => {
  expect(read(line + line)).toEqual([request, request]);
  expect(read(line.slice(0, 7), line.slice(7))).toEqual([request]);
  expect(read(...line)).toEqual([request]);
  expect(read(line + line.slice(0, 5), line.slice(5, 9), line.slice(9) + line)).toEqual([
    request,
    request,
    request,
  ]);
  expect(read(line.slice(0, -1))).toEqual([]);
});

test("lines may end as they do elsewhere, and be empty", () => {
  expect(read(`\r\n\n${JSON.stringify(request)}\r\n \n`)).toEqual([request]);
});

test("a character may be cut in two", () => {
  const bytes = Buffer.from(`${JSON.stringify({ ...request, method: "grüße/💡" })}\n`);
  const chunks = Array.from(bytes, (byte) => Buffer.from([byte]));
  expect(read(...chunks)).toEqual([{ ...request, method: "grüße/💡" }]);
});

test.each([
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", id: "a", method: "tools/list", params: {} },
  { jsonrpc: "2.0", id: 1, result: {} },
  { jsonrpc: "2.0", id: 1, error: { code: 1, message: "" } },
])("%j is a message", (message) => {
  expect(read(`${JSON.stringify(message)}\n`)).toEqual([message]);
});

test.each([
  "nonsense",
  "null",
  "[]",
  '"text"',
  "{}",
  '{"jsonrpc":"1.0","id":1,"method":"ping"}',
  '{"jsonrpc":"2.0","id":null,"method":"ping"}',
  '{"jsonrpc":"2.0","id":{},"method":"ping"}',
  '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
  '{"jsonrpc":"2.0","id":1,"method":7}',
  '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
  '{"jsonrpc":"2.0","id":1}',
  '{"jsonrpc":"2.0","result":{}}',
])("%s is none, and what follows is read all the same", (text) => {
  expect(read(`${text}\n${line}`)).toEqual([expect.any(Error), request]);
});

test("[P-oversized] a message over the limit is refused with its id, in bounded memory, and what follows is read", () => {
  const lines = new JsonLines();
  const megabyte = Buffer.alloc(1 << 20, "x");
  const read = (chunk: Buffer) => [...lines.read(chunk)];
  expect(read(Buffer.from('{"params":"'))).toEqual([]);
  const before = keptBytes();
  for (let count = 0; count < 12; count++) expect(read(Buffer.from(megabyte))).toEqual([]);
  expect(keptBytes() - before).toBeLessThan(4 << 20);
  const [refused, next] = read(Buffer.from(`","id":42}\n${line}`));
  expect(refused).toMatchObject({ name: "RefusedMessage", id: 42 });
  expect((refused as Error).message).toContain("more than 10485760 bytes");
  expect(next).toEqual(request);
});

/** The bytes of buffers, without those that wait for the garbage collector. */
function keptBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().arrayBuffers;
}

test.each([
  ['{"id":7,"method":"ping"}', 7, '"jsonrpc" must be "2.0"'],
  ['{"jsonrpc":"2.0","id":"a","method":7}', "a", '"method" must be a string'],
  ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', 1, '"params" must be an object'],
  ['{"jsonrpc":"2.0","id":1,"method":"ping","trace":1}', 1, '"trace" is not one of its members'],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', undefined, '"id" must be a string or a whole number'],
])("%s names a method: it is refused with its id, and with the reason", (text, id, reason) => {
  const [refused] = read(`${text}\n`);
  expect(refused).toMatchObject({ name: "RefusedMessage", id, message: expect.stringContaining(reason) });
});

test("a response that cannot be read is not answered: its id is of our own request", () => {
  expect(read('{"jsonrpc":"2.0","id":1}\n')).toMatchObject([{ name: "RefusedMessage", id: undefined }]);
});

const LONG = "9007199254740993";

test.each([
  [`"id":${LONG}`, BigInt(LONG), '"id"'],
  ['"id":-123456789012345678901', -123456789012345678901n, '"id"'],
  ['"id":18014398509481984', 18014398509481984, '"id"'],
  ['"id":1e21', 1e21, '"id"'],
  [`"id":"a","params":{"_meta":{"progressToken":${LONG}}}`, "a", '"progressToken"'],
])(
  "a request is refused that has %s, a number that cannot be repeated exactly, by the id as it came",
  (members, id, name) => {
    expect(read(`{"jsonrpc":"2.0","method":"ping",${members}}\n${line}`)).toEqual([
      expect.objectContaining({
        id,
        message: expect.stringContaining(`${name} is a number above 2^53, which is not held exactly`),
      }),
      request,
    ]);
  },
);

test.each([
  ['"id":9007199254740991', 9007199254740991],
  [`"id":"${LONG}"`, LONG],
])("%s is an id like any other, beside long numbers elsewhere", (id, value) => {
  const params = `{"arguments":{"a":${LONG}},"_meta":{"progressToken":"${LONG}","other":${LONG}}}`;
  expect(read(`{"jsonrpc":"2.0","method":"ping",${id},"params":${params}}\n`)).toMatchObject([
    { id: value, params: { arguments: { a: BigInt(LONG) }, _meta: { progressToken: LONG } } },
  ]);
});

test("a message that is too long is refused by its id as it came", () => {
  const text = `{"id":${LONG},"x":"${"x".repeat(10 * 1024 * 1024)}"}\n`;
  expect(read(text)).toEqual([expect.objectContaining({ id: BigInt(LONG) })]);
});
