import { expect, onTestFinished, test } from "vitest";
import { StdioTransport } from "./transport.ts";

/** Runs a program as a server and gives its messages. */
async function messagesOf(
  program: string,
  onMessage: () => void,
  count: number,
  env = {},
): Promise<object[]> {
  const config = { type: "stdio", command: process.execPath, args: ["-e", program], env } as const;
  const transport = new StdioTransport(config, { maxMessageBytes: 10_000_000 });
  onTestFinished(() => transport.close({ graceful: false }));
  const messages: object[] = [];
  await new Promise<void>((resolve, reject) => {
    transport.onmessage = (message) => {
      messages.push(message);
      onMessage();
      if (messages.length === count) resolve();
    };
    transport.start().catch(reject);
  });
  return messages;
}

const STAY = "setInterval(() => {}, 1000);";

test.each([
  ["one line with a list", `process.stdout.write("[" + '{"a":1},'.repeat(19_999) + '{"a":1}]\\n'); ${STAY}`],
  ["many lines", `process.stdout.write('{"a":1}\\n'.repeat(20_000)); ${STAY}`],
])("very many messages in %s do not block the event loop [M-malformed]", async (_, program) => {
  let inThisTurn = 0;
  let most = 0;
  // Timers, and so deadlines, run once in each turn of the event loop.
  const count = () => {
    if (inThisTurn === 0)
      setImmediate(() => {
        inThisTurn = 0;
      });
    inThisTurn += 1;
    most = Math.max(most, inThisTurn);
  };
  expect(await messagesOf(program, count, 20_000)).toHaveLength(20_000);
  // The SDK takes about 30 µs for each: a thousand would hold up a timer for 30 ms.
  expect(most).toBeLessThan(1000);
});

test("a server gets the variables for proxies and certificates [M-env]", async () => {
  const before = { ...process.env };
  onTestFinished(() => {
    process.env = before;
  });
  process.env["HTTPS_PROXY"] = "http://proxy.example:8080";
  process.env["NODE_EXTRA_CA_CERTS"] = "/nowhere/ca.pem";
  process.env["SOME_SECRET"] = "s3cr3t";
  const program = `console.log(JSON.stringify(process.env)); ${STAY}`;
  const [env] = await messagesOf(program, () => {}, 1, { NO_PROXY: "own" });
  expect(env).toMatchObject({
    HTTPS_PROXY: "http://proxy.example:8080",
    NODE_EXTRA_CA_CERTS: "/nowhere/ca.pem",
    NO_PROXY: "own",
  });
  expect(env).not.toHaveProperty("SOME_SECRET");
});
