import { Agent } from "node:http";
import { connect as connectSocket } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { text as readAll } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { isAlive } from "../../../../test/processes.ts";
import { until } from "../../../../test/until.ts";
import { mciHere } from "../in-process.ts";
import { folder } from "../mci.ts";
import { file, hang, text } from "./file.ts";
import { INITIALIZE, notification, rpc, send } from "./raw.ts";
import { connectTo, ERAS, pids, respondTo, serveHttp, startHttp } from "./support.ts";

const TOOLS = { "mci.json": file(text("hello", "Hello")) };
const CALL = rpc("tools/call", { name: "hello" });

test("by default only this machine is served, by its own names and to no web page [RUN-http-hosts]", async () => {
  const { url } = await serveHttp({ cwd: folder(TOOLS) });
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  const { port } = new URL(url);
  const status = async (headers: Record<string, string>) => (await send(url, INITIALIZE, { headers })).status;

  for (const host of ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
    expect(await status({ host: `${host}:${port}` })).toBe(200);
  for (const host of ["evil.example.com", "192.168.0.1", "127.0.0.1.evil.example", "localhost@evil", "a b"])
    expect([host, await status({ host })]).toEqual([host, 403]);
  expect(await status({ origin: `http://127.0.0.1:${port}` })).toBe(200);
  for (const origin of [
    // A page of another server on this machine is another site.
    "http://localhost:5173",
    "https://evil.example.com",
    "null",
    "http://8.8.8.8",
    "file://",
    "http://localhost.evil.example",
  ])
    expect(await status({ origin })).toBe(403);

  const refused = await send(url, INITIALIZE, { headers: { host: "tools.example.com" } });
  expect(JSON.parse(refused.body)).toEqual({
    jsonrpc: "2.0",
    id: null,
    error: { code: -32_000, message: expect.stringContaining("--allow-host tools.example.com") },
  });
  const other = await serveHttp({ cwd: folder(TOOLS), args: ["--allow-host", "Tools.example.com"] });
  expect((await send(other.url, INITIALIZE, { headers: { host: "tools.example.com" } })).status).toBe(200);
});

test("bound elsewhere it wants a token, and makes one if none is given [RUN-http-token]", async () => {
  const { url, stderr } = await serveHttp({ cwd: folder(TOOLS), args: ["--http", "0.0.0.0:0"] });
  const [, token] = /Authorization: Bearer (\S+)/.exec(stderr()) ?? [];
  expect(token).toMatch(/^[\w-]{43}$/);
  const local = url.replace("0.0.0.0", "127.0.0.1");
  const status = async (authorization?: string) =>
    (await send(local, INITIALIZE, { headers: authorization ? { authorization } : {} })).status;
  expect(await status()).toBe(401);
  expect(await status("Bearer wrong")).toBe(401);
  expect(await status(`Basic ${token}`)).toBe(401);
  expect(await status(`Bearer ${token}x`)).toBe(401);
  expect(await status(`Bearer ${token}`)).toBe(200);
  expect((await send(local, INITIALIZE)).headers["www-authenticate"]).toMatch(/^Bearer/);
  for (const era of ERAS) {
    const client = await connectTo(local, era, {}, { authorization: `Bearer ${token}` });
    expect((await client.callTool({ name: "hello" })).content).toEqual([{ type: "text", text: "Hello" }]);
  }
  // A health check needs no token.
  expect((await send(new URL("/healthz", local).href, undefined)).status).toBe(200);
  // By any address of this machine, but not by another host name.
  const [address] = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const headers = { authorization: `Bearer ${token}` };
  if (address?.family === "IPv4")
    expect((await send(local, INITIALIZE, { headers: { ...headers, host: address.address } })).status).toBe(
      200,
    );
  expect((await send(local, INITIALIZE, { headers: { ...headers, host: "evil.example" } })).status).toBe(403);
});

test("a token can be asked for on this machine, too, by option or environment [RUN-http-token]", async () => {
  const cwd = folder(TOOLS);
  for (const given of [{ args: ["--token", "s3cret"] }, { env: { MCI_TOKEN: "s3cret" } }]) {
    const { url, stderr } = await serveHttp({ cwd, ...given });
    expect((await send(url, INITIALIZE)).status).toBe(401);
    expect((await send(url, INITIALIZE, { headers: { authorization: "bearer s3cret" } })).status).toBe(200);
    expect(stderr()).not.toContain("s3cret");
  }
});

test.each([
  [["--token", "x"], "--token is for HTTP"],
  [["--allow-host", "x"], "--allow-host is for HTTP"],
  [["--rate-limit", "1"], "--rate-limit is for HTTP"],
  [["--http", "0", "--token", ""], "--token cannot be empty"],
  [["--http", "0", "--rate-limit", "many"], "--rate-limit cannot be 'many'"],
])("%j is a usage error", async (args, message) => {
  const { code, stderr } = await mciHere(["run", ...args], { cwd: folder(TOOLS) });
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});

test("a port in use is reported, with what to do [RUN-http-port]", async () => {
  const { url } = await serveHttp({ cwd: folder(TOOLS) });
  const { code, stderr } = await mciHere(["run", "--http", new URL(url).port], { cwd: folder(TOOLS) });
  expect(stderr).toMatch(/Cannot listen on 127\.0\.0\.1:\d+: the port is in use by another program/);
  expect(stderr).toContain("--http 0");
  expect(code).toBe(1);
});

test("an address that this machine does not have is said, with what to do [RUN-http-port]", async () => {
  const { code, stderr } = await mciHere(["run", "--http", "192.0.2.1:0"], { cwd: folder(TOOLS) });
  expect(stderr).toContain("Cannot listen on 192.0.2.1:0: this machine does not have that address.");
  expect(stderr).toContain("hint: Leave out the host");
  expect(code).toBe(1);
});

test("what is not the protocol is refused with the reason [RUN-http-refuse]", async () => {
  const { url, stderr } = await serveHttp({ cwd: folder(TOOLS) });
  const at = (path: string) => new URL(path, url).href;
  expect(await send(at("/healthz"), undefined)).toMatchObject({ status: 200, body: '{"status":"ok"}' });
  expect(await send(at("/"), undefined)).toMatchObject({
    status: 404,
    body: expect.stringContaining("/mcp"),
  });
  // Without --watch there is nothing to listen for.
  const accept = "text/event-stream";
  expect((await send(url, undefined, { headers: { accept } })).status).toBe(405);
  expect((await send(url, undefined, { method: "DELETE" })).status).toBe(405);
  expect(
    (await send(url, undefined, { method: "OPTIONS", headers: { origin: "https://evil.example" } })).status,
  ).toBe(403);
  expect((await send(url, "{", {})).body).toContain("-32700");
  expect((await send(url, "", {})).status).toBe(400);
  expect((await send(url, CALL, { headers: { "content-type": "text/plain" } })).status).toBe(415);
  expect((await send(url, CALL, { headers: { accept: "text/html" } })).status).toBe(406);
  expect((await send(url, "null")).status).toBe(400);
  expect((await send(url, CALL)).body).toContain("Hello");
  expect(stderr()).not.toContain("error");
});

test("a request that is too large is refused before it is read [RUN-http-body]", async () => {
  const { url } = await serveHttp({ cwd: folder(TOOLS) });
  const large = JSON.stringify(rpc("tools/call", { name: "hello", arguments: { x: "x".repeat(5 << 20) } }));
  const declared = await send(url, large).catch((error: NodeJS.ErrnoException) => error.code);
  // The client may still be writing when the connection is closed.
  if (typeof declared === "object") expect(declared.status).toBe(413);
  else expect(declared).toMatch(/EPIPE|ECONNRESET/);

  // Nor does it help not to say how much there will be: nothing like a gigabyte is read.
  const socket = connectSocket(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => {});
  const answer = readAll(socket).catch(() => "");
  socket.write(
    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
  );
  let sent = 0;
  for (; sent < 64 && socket.writable; sent++) {
    socket.write(`100000\r\n${"x".repeat(1 << 20)}\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  socket.end();
  await answer;
  expect(sent).toBeLessThan(64);
  expect((await send(url, CALL)).body).toContain("Hello");
});

test("too many requests are refused, with the time to wait; health is not counted [RUN-http-rate]", async () => {
  const { url } = await serveHttp({ cwd: folder(TOOLS), args: ["--rate-limit", "1"] });
  const statuses = await Promise.all(Array.from({ length: 12 }, async () => (await send(url, CALL)).status));
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(statuses.filter((status) => status === 200).length).toBeLessThan(6);
  const refused = await send(url, CALL);
  if (refused.status === 429) expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  for (let asked = 0; asked < 5; asked++)
    expect((await send(new URL("/healthz", url).href, undefined)).status).toBe(200);
});

test("clients on this machine are not counted unless that is asked for [RUN-http-rate]", async () => {
  const { url } = await serveHttp({ cwd: folder(TOOLS) });
  // More than a burst of the default limit. Refused by their method, which takes less time than the limit needs to recover.
  const agent = new Agent({ keepAlive: true, maxSockets: 10 });
  onTestFinished(() => agent.destroy());
  const refused = async () => (await send(url, undefined, { method: "DELETE", agent })).status;
  const statuses = await Promise.all(Array.from({ length: 300 }, refused));
  expect(new Set(statuses)).toEqual(new Set([405]));
});

test("no request needs an earlier one, so that any process can answer any of them [RUN-http-stateless]", async () => {
  const cwd = folder({
    "mci.json": file(...Array.from({ length: 220 }, (_, index) => text(`t${index}`, `${index}`))),
  });
  const [a, b] = await Promise.all([serveHttp({ cwd }), startHttp({ cwd })]);
  const session = (await send(a.url, INITIALIZE)).headers["mcp-session-id"] as string;
  expect(session).toMatch(/^[\w-]{36}$/);
  const headers = { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
  const first = await send(b.url, rpc("tools/list"), { headers });
  const { result } = JSON.parse(first.body);
  expect(result.tools).toHaveLength(200);
  const rest = await send(a.url, rpc("tools/list", { cursor: result.nextCursor }), { headers });
  expect(rest.body).toContain('"t219"');
  expect((await send(b.url, rpc("tools/call", { name: "t219" }), { headers })).body).toContain('"219"');
  // Nor does a session end, or an unknown session id matter.
  expect(
    (await send(a.url, rpc("tools/call", { name: "t1" }), { headers: { "mcp-session-id": "x" } })).status,
  ).toBe(200);
});

test("one client cannot cancel another's call, though both count their requests from one [RUN-http-cancel]", async () => {
  const root = folder({
    "mci.json": file(hang("{{props.file}}"), text("hello", "Hello")),
  });
  const { url } = await serveHttp({ cwd: root });
  const begin = async () => {
    const session = (await send(url, INITIALIZE)).headers["mcp-session-id"] as string;
    return { "mcp-session-id": session };
  };
  const [ada, bob] = [await begin(), await begin()];
  const callHang = (name: string, headers: Record<string, string>) =>
    send(url, rpc("tools/call", { name: "hang", arguments: { file: name } }, 7), { headers });
  const cancel = (headers: Record<string, string>) =>
    send(url, notification("notifications/cancelled", { requestId: 7 }), { headers });
  const calls = [callHang("ada", ada), callHang("bob", bob)] as const;
  for (const call of calls) call.catch(() => {});
  const running = (name: string) => pids(join(root, name));
  await until(() => running("ada").length === 2 && running("bob").length === 2, "both to run");
  expect((await cancel({ "mcp-session-id": "made-up" })).status).toBe(202);
  expect((await cancel({})).status).toBe(202);
  expect((await cancel(ada)).status).toBe(202);
  await until(() => !running("ada").some(isAlive), "the cancelled tool to end");
  // What was cancelled is not answered; the response just ends.
  expect(await calls[0]).toMatchObject({ status: 200, body: "" });
  expect(running("bob").every(isAlive)).toBe(true);
  await cancel(bob);
  await until(() => !running("bob").some(isAlive), "the other tool to end");
});

test("hanging up cancels [RUN-http-cancel]", async () => {
  const root = folder({ "mci.json": file(hang("pids")) });
  const { url } = await serveHttp({ cwd: root });
  const cancelled = new AbortController();
  const call = send(url, rpc("tools/call", { name: "hang" }), { signal: cancelled.signal });
  call.catch(() => {});
  await until(() => pids(join(root, "pids")).length === 2, "the tool to run");
  cancelled.abort();
  await until(() => !pids(join(root, "pids")).some(isAlive), "the processes to end");
});

test("many clients are served at once, each with its own answers [RUN-http-many]", async () => {
  const cwd = folder({
    "mci.json": file(
      text("echo", "{{props.n}}", {
        inputSchema: { type: "object", properties: { n: { type: "integer" } } },
      }),
    ),
  });
  const { url } = await serveHttp({ cwd });
  const clients = await Promise.all(
    Array.from({ length: 4 }, (_, index) => connectTo(url, ERAS[index % 2]!)),
  );
  const answers = await Promise.all(
    clients.flatMap((client, index) =>
      Array.from({ length: 5 }, async (_, round) => {
        const n = index * 100 + round;
        const { content } = await client.callTool({ name: "echo", arguments: { n } });
        return [n, (content[0] as { text: string }).text] as const;
      }),
    ),
  );
  expect(answers).toHaveLength(20);
  for (const [n, answer] of answers) expect(answer).toBe(String(n));
});

test("integers above 2^53 keep their digits over both transports", async () => {
  const schema = { inputSchema: { type: "object", properties: { id: { type: "integer" } } } };
  const cwd = folder({ "mci.json": file(text("show", "{{props.id}}", schema)) });
  const call = JSON.stringify(rpc("tools/call", { name: "show", arguments: { id: "ID" } })).replace(
    '"ID"',
    "9007199254740993",
  );
  const { url } = await serveHttp({ cwd });
  expect((await send(url, call)).body).toContain('"text":"9007199254740993"');
  expect(await respondTo([INITIALIZE, call.replace('"id":1', '"id":2')], { cwd })).toContain(
    '"text":"9007199254740993"',
  );
});

test("a number that would be rounded is refused by its id as it came, over HTTP and on standard input; the next request is served", async () => {
  const cwd = folder(TOOLS);
  const { url } = await serveHttp({ cwd });
  const LONG = "9007199254740993";
  const long = JSON.stringify(CALL).replace('"id":1', `"id":${LONG}`);
  const { status, body } = await send(url, long);
  const refused = {
    error: { code: -32_600, message: expect.stringContaining("send a smaller one, or a string") },
  };
  expect([status, JSON.parse(body)]).toMatchObject([400, refused]);
  expect(body).toContain(`"id":${LONG}`);
  const named = await send(url, { ...CALL, id: LONG });
  expect(JSON.parse(named.body)).toMatchObject({ id: LONG, result: { content: [{ text: "Hello" }] } });

  const messages = new PassThrough();
  const written = readAll(messages);
  const lines = [JSON.stringify(INITIALIZE), long, JSON.stringify({ ...CALL, id: LONG })];
  await mciHere(["run"], {
    cwd,
    stdin: Readable.from([Buffer.from(lines.map((line) => `${line}\n`).join(""))]),
    messages,
  });
  messages.end();
  const text = await written;
  expect(text).toContain(`"id":${LONG}`);
  expect(
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual(
    expect.arrayContaining([
      expect.objectContaining(refused),
      expect.objectContaining({
        id: LONG,
        result: expect.objectContaining({ content: [{ type: "text", text: "Hello" }] }),
      }),
    ]),
  );
});
