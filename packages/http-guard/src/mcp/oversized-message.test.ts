import fc from "fast-check";
import { expect, test } from "vitest";
import { OversizedMessage } from "./oversized-message.ts";

function idOf(text: string, size = 7): unknown {
  const message = new OversizedMessage();
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) message.read(bytes.subarray(start, start + size));
  return message.id;
}

test.each([
  ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"id":8}}', 7],
  [
    '{"method":"tools/call","params":{"a":[{"id":"x"}],"b":"\\"id\\":9,"},"jsonrpc":"2.0","id":"seven"}',
    "seven",
  ],
  ['{ "params" : { } , "id" : 12 }', 12],
  ['{"id":"a\\"b\\u00e9"}', 'a"bé'],
  ['{"params":"}{\\\\","id":1}', 1],
  [`{"params":["${'x\\\\\\"'.repeat(200)}"],"id":4}`, 4],
  [`{"params":["${"line\\n".repeat(3)}end"],"id":5}`, 5],
  ['{"method":"notifications/x","params":{}}', undefined],
  ['{"id":null}', undefined],
  ['{"id":1.5}', undefined],
  ['{"id":[1]}', undefined],
  [`{"id":"${"x".repeat(300)}"}`, undefined],
  [`{"${"k".repeat(300)}":1,"id":2}`, 2],
  ['[{"id":3}]', undefined],
])("the id of %s is %j", (text, id) => {
  expect(idOf(text)).toBe(id);
});

test("[P-oversized] the id of any message is found, wherever it stands and however its bytes are cut", () => {
  const id = fc.oneof(fc.integer(), fc.string({ maxLength: 20 }));
  const params = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(id, params, fc.boolean(), fc.integer({ min: 1, max: 50 }), (id, params, isFirst, size) => {
      const message = isFirst ? { id, params } : { params, id };
      expect(idOf(JSON.stringify(message), size)).toBe(id);
    }),
  );
});
