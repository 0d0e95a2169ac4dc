import { expect, test } from "vitest";
import { serve, serveRaw } from "../../../test/servers.ts";
import { type Execution, openSession, textOf, tool } from "./http/harness.ts";

/** Answers with these statuses in turn, then with 200. */
async function faulty(statuses: readonly number[], headers: Record<string, string> = {}) {
  let requests = 0;
  const server = await serve((request, response) => {
    request.resume();
    response.writeHead(statuses[requests++] ?? 200, headers).end("answer");
  });
  return { ...server, requests: () => requests };
}

const retries = { attempts: 3, backoff_ms: 1 };

test.each([408, 429, 500, 502, 503, 504])("[H-retry] status %i is tried again", async (status) => {
  const server = await faulty([status, status]);
  const outcome = await (await tool({ url: server.url, retries })).call();
  expect(textOf(outcome)).toBe("answer");
  expect(outcome.metadata).toMatchObject({ status_code: 200, attempts: 3 });
});

test.each([400, 401, 403, 404, 409, 422])("[H-retry] status %i is not", async (status) => {
  const server = await faulty([status, status]);
  const error = await (await tool({ url: server.url, retries })).fail();
  expect(error.metadata).toMatchObject({ status_code: status, attempts: 1 });
  expect(server.requests()).toBe(1);
});

test.each(["GET", "POST", "PATCH", "DELETE"])("[H-retry] %s is tried again, body and all", async (method) => {
  const bodies: string[] = [];
  const server = await serve((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => response.writeHead(bodies.push(body) < 3 ? 500 : 200).end());
  });
  const made = await tool({
    method,
    url: server.url,
    retries,
    body: { type: "json", content: { a: "{{props.a}}" } },
  });
  await made.call({ props: { a: 1 } });
  expect(bodies).toEqual(['{"a":"1"}', '{"a":"1"}', '{"a":"1"}']);
});

test("[H-retry] when the attempts are used up the last response is the error", async () => {
  const server = await faulty([500, 502, 503, 504]);
  const error = await (await tool({ url: server.url, retries })).fail();
  expect(error.message).toBe("HTTP request failed: 503 Service Unavailable\nanswer");
  expect(error.metadata).toMatchObject({ status_code: 503, attempts: 3 });
});

test("[H-retry] without retries there is one try", async () => {
  const server = await faulty([500]);
  expect((await (await tool({ url: server.url })).fail()).metadata).toMatchObject({ attempts: 1 });
  expect(server.requests()).toBe(1);
});

test("[H-retry] attempts and backoff may be templates", async () => {
  const server = await faulty([500, 500, 500]);
  const made = await tool({ url: server.url, retries: { attempts: "{{env.N}}", backoff_ms: "{{env.MS}}" } });
  expect((await made.call({ env: { N: "4", MS: "1" } })).metadata).toMatchObject({ attempts: 4 });
  expect(await made.fail({ env: { N: "0", MS: "1" } })).toMatchObject({ code: "invalid_config" });
});

test("[H-retry] a refused connection is tried again", async () => {
  const server = await serveRaw(() => {});
  await new Promise((resolve) => server.server.close(resolve));
  expect((await (await tool({ url: server.url, retries })).fail()).metadata).toMatchObject({ attempts: 3 });
});

test("[H-retry] so is one that breaks", async () => {
  let connections = 0;
  const server = await serveRaw((socket) => {
    if (++connections < 3) socket.once("data", () => socket.destroy());
    else socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"));
  });
  expect((await (await tool({ url: server.url, retries })).call()).metadata).toMatchObject({ attempts: 3 });
});

test.each<[string, Partial<Execution>]>([
  ["a URL that is not one", { url: "nonsense" }],
  ["a header that is refused", { headers: { "X-A": "a\nb" } }],
  ["a certificate that is not trusted", {}],
])("[H-retry] %s is not tried again", async (name, execution) => {
  const { selfSigned } = await import("./http/tls.ts");
  const url = name.includes("certificate") ? (await selfSigned()).url : "http://127.0.0.1:9/";
  const error = await (
    await tool({ url, retries: { attempts: 3, backoff_ms: 10_000 }, ...execution })
  ).fail();
  expect(error.metadata["attempts"]).toBeLessThan(2);
});

test.each([
  ["seconds", () => "1"],
  // A date has no fractions of a second: two seconds from now are at least one.
  ["a date", () => new Date(Date.now() + 2000).toUTCString()],
])("[H-retry] %s is honoured", async (_, header) => {
  const server = await faulty([429], { "retry-after": header() });
  const start = performance.now();
  await (await tool({ url: server.url, retries: { attempts: 2, backoff_ms: 1 } })).call();
  expect(performance.now() - start).toBeGreaterThan(700);
});

test("[H-retry] a wait beyond the deadline is not begun: the error comes now", async () => {
  const server = await faulty([503], { "retry-after": "3600" });
  const start = performance.now();
  const error = await (await tool({ url: server.url, retries, timeout_ms: 5000 })).fail();
  expect(performance.now() - start).toBeLessThan(3000);
  expect(error).toMatchObject({ code: "http_status", metadata: { status_code: 503, attempts: 1 } });
});

test("a pooled connection that the server closed meanwhile costs a GET nothing, and a POST is not sent twice", async () => {
  const seen: string[] = [];
  // Answers once per connection, then closes it as soon as the next request arrives.
  const server = await serveRaw((socket) => {
    let requests = 0;
    socket.on("data", (data) => {
      const method = data.toString().split(" ")[0]!;
      seen.push(method);
      if (++requests === 1) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
      else socket.destroy();
    });
  });
  const session = openSession();
  const get = await tool({ url: server.url }, session);
  const post = await tool({ method: "POST", url: server.url, body: { type: "raw", content: "x" } }, session);
  const idle = () => new Promise((resolve) => setTimeout(resolve, 20));
  await get.call();
  await idle();
  expect((await get.call()).metadata).toMatchObject({ attempts: 1, status_code: 200 });
  expect(seen).toEqual(["GET", "GET", "GET"]);
  await idle();
  expect(await post.fail()).toMatchObject({ code: "http_network" });
  expect(seen).toEqual(["GET", "GET", "GET", "POST"]);
});
