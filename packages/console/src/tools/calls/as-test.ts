import type { CallDetail } from "../../../serve/tools/types.ts";

/**
 * A call as a test for Node's own runner: the same tool with the same input gives the same again. What changes from call to call (times,
 * metadata) is not compared.
 */
export function asTest(
  { tool, input, result }: Pick<CallDetail, "tool" | "input" | "result">,
  file: string,
): string {
  const isStructured = result?.structuredContent !== undefined;
  const field = isStructured ? "structuredContent" : "content";
  const expected = {
    isError: result?.isError ?? false,
    [field]: (isStructured ? result?.structuredContent : result?.content) ?? [],
  };
  return `import assert from "node:assert/strict";
import { after, test } from "node:test";
import { MCIClient } from "mci-ts";

// Recorded in the console. Run it with: node --test
const client = await MCIClient.load(${literal(file)}, { env: process.env });
after(() => client.close());

test(${literal(`${tool} responds as it did when this was recorded`)}, async () => {
  const { isError, ${field} } = await client.call(${literal(tool)}, ${literal(input)});
  assert.deepEqual(JSON.parse(JSON.stringify({ isError, ${field} })), ${literal(expected)});
});
`;
}

function literal(value: unknown): string {
  return JSON.stringify(value, undefined, 2) ?? "undefined";
}
