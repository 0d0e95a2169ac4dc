import { type HttpPreview, MCIClient, type Preview } from "mci-ts";
import { describe, expect, onTestFinished, test } from "vitest";
import { echo, serve } from "../../../test/servers.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import type { Echo } from "./http/harness.ts";
import { server } from "./mcp/with-servers.ts";

const env = { TOKEN: "s3cret-token-value", PLACE: "Zürich" };

describe("[PRE-http] a preview is the request that is then sent, byte for byte, secrets aside", () => {
  const props = { id: "a/b?c", q: ["x y", "ü&="], text: 'line\n"quoted" 🙂', flag: true };
  const executions: Record<string, object> = {
    "a plain request": { url: "$URL/items/{{props.id}}?fixed=1", params: { q: "{!!props.q!!}" } },
    "headers, cookies and a JSON body": {
      method: "PUT",
      url: "$URL/{{props.id}}",
      headers: { "X-Place": "{{env.PLACE}} {{props.flag}}", accept: "text/plain" },
      cookies: { session: "{{props.flag}}" },
      body: { json: { text: "{{props.text}}", all: "{!!props.q!!}" } },
    },
    "a form": {
      method: "POST",
      url: "$URL/form",
      body: { form: { q: "{!!props.q!!}", t: "{{props.text}}" } },
    },
    "parts and a file": {
      method: "POST",
      url: "$URL/upload",
      body: { type: "multipart", content: { note: "{{props.text}}" }, files: { doc: "note.txt" } },
    },
    "a bearer token": { url: "$URL/", auth: { type: "bearer", token: "{{env.TOKEN}}" } },
    "a token that stands in the file": { url: "$URL/", auth: { type: "bearer", token: "literal-token-9" } },
    "a password": { url: "$URL/", auth: { type: "basic", username: "ada", password: "{{env.TOKEN}}" } },
    "a key in the query": {
      url: "$URL/?a=1",
      auth: { type: "apiKey", in: "query", name: "key", value: "literal-token-9" },
    },
    "a key in a header": {
      url: "$URL/",
      auth: { type: "apiKey", in: "header", name: "X-Key", value: "lit-8" },
    },
    "a key in a cookie": {
      url: "$URL/",
      cookies: { lang: "de" },
      auth: { type: "apiKey", in: "cookie", name: "sid", value: "literal-token-9" },
    },
    "a password in the address": { url: "http://ada:literal-token-9@$HOST/x" },
  };

  test.each(Object.entries(executions))("%s", async (_, execution) => {
    const { url } = await serve(echo);
    const text = JSON.stringify({ type: "http", ...execution })
      .replaceAll("$URL", url)
      .replaceAll("$HOST", url.slice("http://".length));
    const client = await clientFor([{ name: "send", execution: JSON.parse(text) }]);
    const shown = (await client.preview("send", props)) as HttpPreview;
    expect(JSON.stringify(shown)).not.toMatch(/s3cret-token-value|literal-token-9|lit-8|Zürich/);
    const sent = (await client.execute("send", props)).structuredContent as Echo;
    expect({ method: shown.method, body: shown.body ?? "" }).toEqual({
      method: sent.method,
      body: sent.body,
    });
    expect(unmasked(shown.url)).toBe(url + sent.url);
    const { host: _host, connection: _connection, "content-length": _length, ...headers } = sent.headers;
    const utf8 = Object.entries(headers).map(([name, value]) => [
      name,
      Buffer.from(value, "latin1").toString(),
    ]);
    expect(
      Object.keys(shown.headers)
        .map((name) => name.toLowerCase())
        .sort(),
    ).toEqual(utf8.map(([name]) => name).sort());
    for (const [name, value] of Object.entries(shown.headers)) {
      const real = new Map(utf8 as [string, string][]).get(name.toLowerCase())!;
      // Where it is masked, the rest around the mask is still what was sent.
      for (const piece of value.split("***")) expect(real).toContain(piece);
      if (!value.includes("***")) expect(real).toBe(value);
    }
  });

  function unmasked(url: string): string {
    return url.replace("***", "literal-token-9");
  }

  test("a body that is not text is shown in base64", async () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
    const execution = {
      type: "http",
      method: "POST",
      url: "http://127.0.0.1:9/",
      body: { type: "file", content: "b.bin" },
    };
    const client = await clientFor([{ name: "send", execution }], { "b.bin": bytes });
    const preview = (await client.preview("send")) as HttpPreview;
    expect(preview).toMatchObject({ body: bytes.toString("base64"), bodyEncoding: "base64" });
  });

  test("nothing is sent, no token is fetched", async () => {
    let requests = 0;
    const { url } = await serve((_request, response) => {
      requests++;
      response.end();
    });
    const auth = {
      type: "oauth2",
      flow: "clientCredentials",
      tokenUrl: `${url}/token`,
      clientId: "me",
      clientSecret: "{{env.TOKEN}}",
    };
    const client = await clientFor([{ name: "send", execution: { type: "http", url: `${url}/x`, auth } }]);
    const preview = (await client.preview("send")) as HttpPreview;
    expect(preview.headers.Authorization).toBe("Bearer ***");
    expect(requests).toBe(0);
  });
});

describe("[PRE-kinds] every kind of execution can be previewed", () => {
  test("a command: what is started, with the names of its variables", async () => {
    const code = "console.log(JSON.stringify([process.argv.slice(1), process.cwd()]))";
    const execution = {
      type: "cli",
      command: process.execPath,
      args: ["-e", code, "--", "{{props.v}}"],
      flags: { "--key": { from: "env.TOKEN", type: "value" } },
      env: { KEY: "{{env.TOKEN}}" },
      inheritEnv: ["PLACE"],
    };
    const client = await clientFor([{ name: "run", execution }]);
    const preview = await client.preview("run", { v: "a b; $(rm)" });
    expect(preview).toMatchObject({ type: "cli", command: process.execPath, env: ["PLACE", "KEY"] });
    const { args, cwd } = preview as Extract<Preview, { type: "cli" }>;
    expect(args).toEqual(["-e", code, "--", "a b; $(rm)", "--key=***"]);
    const [argv, directory] = JSON.parse((await client.execute("run", { v: "a b; $(rm)" })).text);
    expect([argv, directory]).toEqual([["a b; $(rm)", `--key=${env.TOKEN}`], cwd]);
  });

  test("a text and a file", async () => {
    const client = await clientFor([
      { name: "say", execution: { type: "text", text: "Hi {{props.v}} {{env.TOKEN}}" } },
      { name: "read", execution: { type: "file", path: "{{props.v}}.txt" } },
    ]);
    expect(await client.preview("say", { v: "Ada" })).toEqual({ type: "text", text: "Hi Ada ***" });
    const path = expect.stringMatching(/note\.txt$/);
    expect(await client.preview("read", { v: "note" })).toEqual({ type: "file", path });
  });

  test("a tool of an MCP server, which is not started", async () => {
    const { settings } = server("stdio");
    const client = await MCIClient.fromObject(
      {
        schemaVersion: "1.0",
        mcp_servers: { bench: settings },
        tools: [{ name: "add", execution: { type: "mcp", serverName: "bench", toolName: "sum" } }],
      },
      { fetchMcpTools: false },
    );
    onTestFinished(() => client.close());
    const expected = { type: "mcp", server: "bench", tool: "sum", arguments: { a: 1 } };
    expect(await client.preview("add", { a: 1 })).toEqual(expected);
  });
});

describe("[PRE-refused] a call that would fail before it is sent", () => {
  test.each([
    ["a path outside", { type: "file", path: "{{props.v}}" }, "../../etc/passwd", /path_refused/],
    [
      "a value that would become an option",
      { type: "cli", command: "ls", args: ["{{props.v}}"] },
      "-R",
      /option_refused/,
    ],
    [
      "a port that is not set",
      { type: "http", url: "https://a.example:{{env.NONE}}/" },
      "",
      /template_missing/,
    ],
  ])("%s", async (_, execution, v, message) => {
    const client = await clientFor([{ name: "t", execution }]);
    await expect(client.preview("t", { v })).rejects.toMatchObject({
      code: "preview_failed",
      message: expect.stringMatching(message),
    });
  });

  test("wrong input and an unknown tool are the errors of a call", async () => {
    const inputSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
    const client = await clientFor([{ name: "t", inputSchema, execution: { type: "text", text: "x" } }]);
    await expect(client.preview("t")).rejects.toMatchObject({ code: "invalid_input" });
    await expect(client.preview("u")).rejects.toMatchObject({ code: "tool_not_found" });
  });
});

async function clientFor(tools: object[], files: Record<string, string | Buffer> = {}): Promise<MCIClient> {
  const baseDir = temporaryFolder({ "note.txt": "a note\n", ...files });
  const client = await MCIClient.fromObject({ schemaVersion: "1.0", tools }, { env, baseDir });
  onTestFinished(() => client.close());
  return client;
}

test("[PRE-unset] no secret is needed to see a request: a variable without a value is shown as such", async () => {
  const client = await clientFor([
    {
      name: "t",
      execution: {
        type: "http",
        url: "https://api.example.com/{{env.USER_ID}}",
        auth: { type: "bearer", token: "{{env.SPOTIFY_TOKEN}}" },
        params: { a: "{{env.A | env.B}}", b: "{{env.C | 'fallback'}}" },
      },
    },
  ]);
  expect(await client.preview("t", {})).toMatchObject({
    url: "https://api.example.com/<USER_ID not set>?a=<A not set>&b=fallback",
    headers: { Authorization: "Bearer <SPOTIFY_TOKEN not set>" },
  });
  const addresses = await clientFor([
    {
      name: "base",
      execution: { type: "http", url: "{{env.BASE_URL}}/a/{{env.ID}}", headers: { "X-A": "{{env.KEY}}" } },
    },
    {
      name: "host",
      execution: { type: "http", url: "https://{{env._REGION}}.example.com/a", params: { u: "x" } },
    },
  ]);
  expect(await addresses.preview("base", {})).toMatchObject({
    url: "<BASE_URL not set>/a/<ID not set>",
    headers: { "X-A": "<KEY not set>" },
  });
  expect(await addresses.preview("host", {})).toMatchObject({
    url: "https://<_REGION not set>.example.com/a?u=x",
  });
  // A call still needs them.
  expect((await client.execute("t")).metadata["error_code"]).toBe("template_missing");
});
