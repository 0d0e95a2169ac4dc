import type { Server } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { serve } from "../../../test/servers.ts";
import type { HttpExchange } from "../src/index.ts";
import { MCIClient } from "../src/index.ts";

test("a call reports each request with its response, attempts and redirects included, and no secret [H-exchanges]", async () => {
  let isFirst = true;
  const server = await serve((request, response) => {
    request.resume();
    if (request.url?.startsWith("/go")) {
      if (isFirst) {
        isFirst = false;
        return void response.writeHead(503, { "retry-after": "0" }).end("later");
      }
      return void response.writeHead(307, { location: "/there" }).end();
    }
    response
      .writeHead(200, { "content-type": "text/plain", "set-cookie": "session=let-me-in" })
      .end(`your token is s3cret-token, and more: ${"x".repeat(300_000)}s3cret-token`);
  });
  const client = await MCIClient.fromObject(
    {
      schemaVersion: "1.0",
      tools: [
        {
          name: "send",
          execution: {
            type: "http",
            method: "POST",
            url: `${server.url}/go`,
            auth: { type: "bearer", token: "{{env.TOKEN}}" },
            params: { key: "{{env.KEY}}" },
            body: { type: "json", content: { who: "{{props.who}}", key: "{{env.KEY}}" } },
            retries: { attempts: 3, backoff_ms: 1 },
          },
        },
      ],
    },
    { env: { TOKEN: "s3cret-token", KEY: "k3y-of-mine" } },
  );
  onTestFinished(() => client.close());
  const seen: HttpExchange[] = [];
  const result = await client.execute("send", { who: "Ada" }, { onExchange: (each) => seen.push(each) });
  expect(result.error).toBeUndefined();
  expect(seen.map(({ attempt, request, response }) => [attempt, request.method, response?.status])).toEqual([
    [1, "POST", 503],
    [2, "POST", 307],
    [2, "POST", 200],
  ]);
  const text = JSON.stringify(seen);
  for (const secret of ["s3cret-token", "k3y-of-mine", "let-me-in"]) expect(text).not.toContain(secret);
  expect(seen[0]!.request.headers).toMatchObject({ Authorization: "Bearer ***" });
  expect(JSON.parse(seen[0]!.request.body!)).toEqual({ who: "Ada", key: "***" });
  expect(seen[2]!.response).toMatchObject({ isCut: true, size: 300_000 + 50 });
  expect(seen[2]!.response!.body).toMatch(/^your token is \*\*\*, and more/);

  server.server.close();
  (server.server as Server).closeAllConnections();
  const failed: HttpExchange[] = [];
  await client.execute("send", { who: "Ada" }, { onExchange: (each) => failed.push(each) });
  expect(failed[0]).toMatchObject({ attempt: 1, error: expect.any(String) });
});

test("a response that repeats the token beside bytes that are no text, in its reason and in names of headers, shows none of it [H-exchanges]", async () => {
  const token = "s3cret-tokén";
  const server = createServer((socket) => {
    socket.once("data", () => {
      const body = Buffer.concat([Buffer.from([0xff, 0, 0xfe]), Buffer.from(token), Buffer.from([0x80])]);
      socket.write(
        `HTTP/1.1 200 OK s3cret-plain\r\nx-s3cret-plain: 1\r\ncontent-length: ${body.length}\r\n\r\n`,
      );
      socket.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const headers = { "x-a": "{{env.TOKEN}}", "x-b": "{{env.PLAIN}}" };
  const tools = [{ name: "get", execution: { type: "http", url, headers } }];
  const client = await MCIClient.fromObject(
    { schemaVersion: "1.0", tools },
    { env: { TOKEN: token, PLAIN: "s3cret-plain" } },
  );
  onTestFinished(() => client.close());
  const seen: HttpExchange[] = [];
  await client.execute("get", {}, { onExchange: (each) => seen.push(each) });
  const { statusText, headers: received, body, bodyEncoding } = seen[0]!.response!;
  expect([statusText, Object.keys(received), bodyEncoding]).toEqual([
    "OK ***",
    ["x-***", "content-length"],
    "base64",
  ]);
  expect(Buffer.from(body, "base64").toString("latin1")).toBe("\xff\0\xfe***\x80");
});
