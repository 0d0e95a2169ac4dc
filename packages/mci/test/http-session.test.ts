import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { http } from "../src/execute/http/http.ts";
import { type Execution, echoed, openSession, tool } from "./http/harness.ts";
import { echo, serve, until } from "./http/servers.ts";
import { selfSigned } from "./http/tls.ts";

test("[H-concurrent] two hundred calls at once, each with its own values", async () => {
  const server = await serve(echo);
  const made = await tool({
    method: "POST",
    url: `${server.url}/{{props.id}}`,
    params: { q: "{{props.id}}" },
    headers: { "X-Id": "{{props.id}}" },
    body: { type: "json", content: { id: "{!!props.id!!}" } },
  });
  const ids = Array.from({ length: 200 }, (_, id) => id);
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

test("[H-close] closing leaves no socket behind, neither idle nor busy nor connecting", async () => {
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

/** Runs in a process of its own; `run(url)` makes one call and gives its text. */
async function script(code: string, url = "", env: Record<string, string> = {}): Promise<string> {
  const source = (path: string) => JSON.stringify(new URL(`../src/${path}`, import.meta.url).href);
  const prelude = `
    const { http } = await import(${source("execute/http/http.ts")});
    const { createCompile } = await import(${source("template/compile.ts")});
    const { DEFAULT_LIMITS: limits } = await import(${source("execute/executor.ts")});
    async function run(url) {
      const plan = http.compile({ type: "http", url }, createCompile({ limits, report() {} }), []);
      const scope = { props: {}, env: {}, absent: new Set(), onEnv() {} };
      const call = { scope, limits, signal: new AbortController().signal };
      return (await http.run(plan, call, await http.open({}))).content[0].text;
    }
    const [url] = process.argv.slice(1);`;
  const args = ["--input-type=module", "-e", prelude + code, url];
  return (await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } })).stdout;
}

test("[H-tls] a trusted one is not", async () => {
  const server = await selfSigned();
  const code = "process.stdout.write(await run(url));";
  expect(await script(code, server.url, { NODE_EXTRA_CA_CERTS: server.certificateFile })).toBe("secure");
});

test("[H-lazy] undici is loaded by the first call, not by the executor", async () => {
  const code = `
    const { createRequire } = await import("node:module");
    const loaded = () => Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes("undici"));
    const before = loaded();
    await http.close(await http.open({}));
    process.stdout.write(JSON.stringify([before, loaded()]));`;
  expect(JSON.parse(await script(code))).toEqual([false, true]);
});

test("[H-close] an idle connection does not keep the process alive", async () => {
  const server = await serve(echo);
  const ended = await script("await run(url); process.stdout.write(String(Date.now()));", server.url);
  // The pool would keep the connection for four seconds.
  expect(Date.now() - Number(ended)).toBeLessThan(3000);
});
