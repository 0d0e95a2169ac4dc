import { createServer, type IncomingMessage, type RequestOptions, request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { BodyReader } from "./body.ts";
import { GuardError } from "./error.ts";
import { listen } from "./listen.ts";

/** A real server that answers with what it read, or why it did not. */
async function serve(limit = 1000): Promise<number> {
  const bodies = new BodyReader({ limit, setting: "A_LIMIT" });
  const server = createServer((incoming, response) => {
    bodies.json(incoming).then(
      (value) => response.end(JSON.stringify(value)),
      (error: GuardError) => {
        expect(error).toBeInstanceOf(GuardError);
        response.writeHead(error.status, error.headers).end(`${error.code}: ${error.message}`);
      },
    );
  });
  await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function post(port: number, body: string, headers: RequestOptions["headers"] = {}) {
  const response = await fetch(`http://127.0.0.1:${port}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(headers as Record<string, string>) },
    body,
  });
  return `${response.status} ${await response.text()}`;
}

test("[G-body] JSON is read, of any JSON media type", async () => {
  const port = await serve();
  expect(await post(port, '{"a":[1]}')).toBe('200 {"a":[1]}');
  expect(await post(port, "1", { "content-type": "application/problem+json; charset=utf-8" })).toBe("200 1");
});

test.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonx", "multipart/form-data"])(
  "[G-body] %s, which web pages may send, is refused",
  async (type) => {
    expect(await post(await serve(), "1", { "content-type": type })).toBe(
      "415 unsupported_media_type: Send the request body as Content-Type: application/json",
    );
  },
);

test("[G-body] a body over the limit is refused, whether or not its length is announced", async () => {
  const port = await serve(10);
  expect(await post(port, '"12345678"')).toBe('200 "12345678"');
  expect(await post(port, '"123456789"')).toBe(
    "413 body_too_large: The body is larger than 10 bytes (A_LIMIT)",
  );
  const chunked = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { "content-type": "application/json", "transfer-encoding": "chunked" };
    const sent = request({ port, host: "127.0.0.1", method: "POST", headers }, resolve).on("error", reject);
    sent.write('"12345678901234567890');
  });
  expect(chunked.statusCode).toBe(413);
  chunked.destroy();
});

test("[G-body] what is not JSON, or nested too deep for recursive code, is refused", async () => {
  const port = await serve(1_000_000);
  expect(await post(port, "{bad")).toMatch(/^400 invalid_request: The body is not JSON: /);
  expect(await post(port, "")).toMatch(/^400 invalid_request: The body is not JSON: /);
  const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  expect(await post(port, deep(100))).toBe(`200 ${deep(100)}`);
  for (const levels of [102, 100_000])
    expect(await post(port, deep(levels))).toBe(
      "400 invalid_request: The body is nested deeper than 100 levels",
    );
  // Brackets and commas in texts are not structure.
  const text = JSON.stringify(`[,\\",[${"[,".repeat(50_000)}`);
  expect(await post(port, text)).toBe(`200 ${text}`);
  expect(await post(port, `[${"0,".repeat(30_000)}0]`)).toBe(
    "400 invalid_request: The body has more than 20000 values",
  );
});
