import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { echo, serve } from "../../../test/servers.ts";
import { until } from "../../../test/until.ts";
import { http } from "../src/execute/http/http.ts";
import { type Execution, echoed, openSession, tool } from "./http/harness.ts";
import { selfSigned } from "./http/tls.ts";

/** For processes that import the built library. */
const REGISTER = fileURLToPath(new URL("../../../test/programs/register.ts", import.meta.url));

test("a hundred calls at once, each with its own values", async () => {
  const server = await serve(echo);
  const made = await tool({
    method: "POST",
    url: `${server.url}/{{props.id}}`,
    params: { q: "{{props.id}}" },
    headers: { "X-Id": "{{props.id}}" },
    body: { type: "json", content: { id: "{!!props.id!!}" } },
  });
  const ids = Array.from({ length: 100 }, (_, id) => id);
  const seen = await Promise.all(ids.map(async (id) => echoed(await made.call({ props: { id } }))));
  for (const id of ids) {
    expect(seen[id]).toMatchObject({
      url: `/${id}?q=${id}`,
      body: `{"id":${id}}`,
      headers: { "x-id": String(id) },
    });
  }
});

test("[H-mutation] calls change neither the tool nor each other", async () => {
  const server = await serve(echo);
  const execution: Execution = {
    url: `${server.url}/{{props.a}}`,
    params: { q: ["{{props.a}}"] },
    headers: { "X-A": "{{props.a}}" },
    auth: { type: "apiKey", in: "query", name: "key", value: "{{env.K}}" },
    body: { type: "json", content: { a: { b: "{{props.a}}" } } },
    method: "POST",
  };
  const before = structuredClone(execution);
  const made = await tool(execution);
  const first = echoed(await made.call({ props: { a: "one" }, env: { K: "k1" } }));
  const second = echoed(await made.call({ props: { a: "two" }, env: { K: "k2" } }));
  expect(first).toMatchObject({ url: "/one?q=one&key=k1", body: '{"a":{"b":"one"}}' });
  expect(second).toMatchObject({ url: "/two?q=two&key=k2", body: '{"a":{"b":"two"}}' });
  expect(execution).toEqual(before);
});

test("[H-pool] calls one after the other reuse pooled connections", async () => {
  let connections = 0;
  const server = await serve(echo);
  server.server.on("connection", () => connections++);
  const made = await tool({ url: server.url });
  for (let i = 0; i < 30; i++) await made.call();
  expect(connections).toBeLessThan(4);
});

test("[H-pool] closing leaves no socket behind, neither idle nor busy nor connecting", async () => {
  const server = await serve((request, response) => {
    if (request.url !== "/hang") response.end("ok");
  });
  const session = openSession();
  const quick = await tool({ url: server.url }, session);
  await Promise.all(Array.from({ length: 20 }, () => quick.call()));
  const busy = (await tool({ url: `${server.url}/hang` }, session)).fail();
  const shaking = (await tool({ url: `https://127.0.0.1:${server.port}/` }, session)).fail();
  await until(async () => (await server.connections()) >= 20, "connections");
  await http.close?.(session);
  expect(await busy).toMatchObject({ code: "http_network" });
  await shaking;
  await until(async () => (await server.connections()) === 0, "no connection left");
  expect(await quick.fail()).toMatchObject({ code: "http_network" });
});

test("[H-tls] an untrusted certificate is refused with its reason", async () => {
  const server = await selfSigned();
  const error = await (await tool({ url: `${server.url}/x?k=1` })).fail();
  expect(error.code).toBe("http_network");
  expect(error.message).toMatch(
    /certificate is not trusted \((DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED\w+)\)/,
  );
  expect(error.message).not.toContain("k=1");
});

test("[H-lazy] [H-tls] [H-pool] a process loads undici with its first call, trusts what it is told to, and is not kept alive by idle connections", async () => {
  const [trusted, plain] = [await selfSigned(), await serve(echo)];
  const code = `
    import { createRequire } from "node:module";
    import { MCIClient } from "mci-ts";
    const isLoaded = () => Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes("undici"));
    const [trusted, plain] = process.argv.slice(1);
    const tools = [{ name: "trusted", execution: { type: "http", url: trusted } }, { name: "plain", execution: { type: "http", url: plain } }];
    const client = await MCIClient.fromObject({ schemaVersion: "1.0", tools });
    const before = isLoaded();
    const { text: secure } = await client.execute("trusted");
    const after = isLoaded();
    await client.execute("plain");
    process.stdout.write(JSON.stringify({ before, after, secure, endedAt: Date.now() }));`;
  const args = ["--import", REGISTER, "--input-type=module", "-e", code, trusted.url, plain.url];
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: trusted.certificateFile };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  const exitedAt = Date.now();
  const { endedAt, ...seen } = JSON.parse(stdout);
  expect(seen).toEqual({ before: false, after: true, secure: "secure" });
  // The pool would keep its connections for four seconds.
  expect(exitedAt - endedAt).toBeLessThan(3000);
});
