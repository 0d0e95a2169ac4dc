import { expect, test } from "vitest";
import { serve } from "../../../test/servers.ts";
import { MCIClient } from "../src/client.ts";

/** With blanks in it: cutting at a word does not help. */
const SECRET = "correct horse battery staple of 44 characters";
const pieces = Array.from({ length: SECRET.length - 12 }, (_, start) => SECRET.slice(start, start + 12));

/** No 12 characters of the secret in a row. */
function expectNoPart(value: unknown): void {
  const text = JSON.stringify(value);
  expect(pieces.filter((piece) => text.includes(piece))).toEqual([]);
}

async function load(execution: object, servers = {}): Promise<MCIClient> {
  const tools = [{ name: "t", execution }];
  const document = { schemaVersion: "1.0", tools, mcp_servers: servers };
  return MCIClient.fromObject(document, { env: { KEY: SECRET } });
}

// A cut at any place: the text before the secret has a different length each time.
const OFFSETS = [0, 7, 20, 33, 40];

test.each(OFFSETS)("an OAuth error description is masked before it is cut (%i) [S-cut]", async (offset) => {
  const server = await serve((_, response) => {
    const error_description = `${"x".repeat(300 - "invalid_client: ".length - offset)}${SECRET} and more`;
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: "invalid_client", error_description }));
  });
  await using client = await load({
    type: "http",
    url: server.url,
    auth: {
      type: "oauth2",
      flow: "clientCredentials",
      tokenUrl: `${server.url}/token`,
      clientId: "id",
      clientSecret: "{{env.KEY}}",
    },
  });
  const result = await client.execute("t");
  expect(result.error).toContain("invalid_client");
  expectNoPart(result);
});

test.each(OFFSETS)("an error page is masked before it is cut (%i) [S-cut]", async (offset) => {
  const server = await serve((_, response) => {
    response
      .writeHead(400, { "content-type": "text/plain" })
      .end(`${"x".repeat(500 - offset)}${SECRET}${"y".repeat(900)}`);
  });
  await using client = await load({ type: "http", url: server.url, headers: { "X-Key": "{{env.KEY}}" } });
  const result = await client.execute("t");
  expect(result.error).toContain("400 Bad Request");
  expectNoPart(result);
});

/** Waits for input or its end, writes the secret to stderr, between two texts, and ends with this code. */
const SCRIPT = 'read -r _; printf "%s%s%s" "$1" "$KEY" "$2" >&2; exit "$3"';
const shell = (before: string, after: string, exitCode: number) => ({
  command: "sh",
  args: ["-c", SCRIPT, "sh", before, after, String(exitCode)],
  env: { KEY: "{{env.KEY}}" },
});

test.each(OFFSETS)("a command's output is masked before it is cut (%i) [S-cut]", async (offset) => {
  await using client = await load({ type: "cli", ...shell("x".repeat(2000 - offset), "y".repeat(900), 1) });
  const result = await client.execute("t");
  expect(result.error).toContain("exit code 1");
  expectNoPart(result);
});

test.each([...OFFSETS, 1000])(
  "the end of an MCP server's stderr is masked before it is cut (%i) [S-cut]",
  async (offset) => {
    const server = shell("x".repeat(70_000), "y".repeat(2000 - offset), 3);
    await using client = await load({ type: "text", text: "" }, { broken: server });
    expect(client.warnings.map(({ message }) => message).join()).toContain("exit code 3");
    expectNoPart(client.warnings);
  },
);

test("both outputs of a failing command reach the caller [C-result]", async () => {
  await using client = await load({
    type: "cli",
    command: "sh",
    args: ["-c", "echo 3 tests failed; echo see above >&2; exit 1"],
  });
  expect((await client.execute("t")).error).toBe(
    "Command failed with exit code 1: see above\n\nStandard output:\n3 tests failed",
  );
});
