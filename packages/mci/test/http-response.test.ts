import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { serve } from "../../../test/servers.ts";
import { textOf, tool } from "./http/harness.ts";

/** The outcome of a GET that is answered like this. */
async function answered(body: string | Buffer, headers: Record<string, string> = {}, status = 200) {
  const server = await serve((_, response) => response.writeHead(status, headers).end(body));
  return tool({ url: `${server.url}/path/file?key=k` });
}

const type = (contentType: string) => ({ "content-type": contentType });

describe("JSON", () => {
  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "application/vnd.api+json",
    "text/json",
    "Application/JSON",
  ])("[H-json] %s is indented, non-ASCII as it is, and given as structured content", async (contentType) => {
    const outcome = await (await answered('{"name":"Łódź","l":[1]}', type(contentType))).call();
    expect(textOf(outcome)).toBe('{\n  "name": "Łódź",\n  "l": [\n    1\n  ]\n}');
    expect(outcome.structuredContent).toEqual({ name: "Łódź", l: [1] });
  });

  test("[H-json] escapes sent by the server are resolved", async () => {
    expect(textOf(await (await answered('"\\u00e9\\ud83d\\ude00"', type("application/json"))).call())).toBe(
      '"é😀"',
    );
  });

  test("[H-json] arrays are structured content, scalars are not", async () => {
    expect((await (await answered("[1]", type("application/json"))).call()).structuredContent).toEqual([1]);
    expect(await (await answered("1", type("application/json"))).call()).not.toHaveProperty(
      "structuredContent",
    );
    expect(await (await answered("null", type("application/json"))).call()).not.toHaveProperty(
      "structuredContent",
    );
  });

  test("[H-json-digits] 64-bit numbers keep their digits in the text", async () => {
    const outcome = await (await answered('{"id":9223372036854775807}', type("application/json"))).call();
    expect(textOf(outcome)).toBe('{\n  "id": 9223372036854775807\n}');
  });

  test("[H-json] what does not parse is text", async () => {
    const outcome = await (await answered("{oops", type("application/json"))).call();
    expect(textOf(outcome)).toBe("{oops");
    expect(outcome).not.toHaveProperty("structuredContent");
  });

  test("[H-json-bomb] nesting without end is text as it came", async () => {
    const text = "[".repeat(50_000) + "]".repeat(50_000);
    const outcome = await (await answered(text, type("application/json"))).call();
    expect(textOf(outcome)).toBe(text);
    expect(outcome).not.toHaveProperty("structuredContent");
  });
});

describe("text", () => {
  test.each([
    ["text/html", Buffer.from("grün", "utf8"), "grün"],
    ["text/plain; charset=iso-8859-1", Buffer.from("grün", "latin1"), "grün"],
    ['text/plain; charset="windows-1252"', Buffer.from([0x80]), "€"],
    ["text/plain; charset=shift_jis", Buffer.from([0x93, 0xfa, 0x96, 0x7b]), "日本"],
    ["application/json; charset=utf-16le", Buffer.from("1", "utf16le"), "1"],
    ["text/plain; charset=klingon", Buffer.from("grün", "utf8"), "grün"],
    ["text/plain", Buffer.from("\ufeffBOM", "utf8"), "BOM"],
    ["application/xml", Buffer.from("<a/>"), "<a/>"],
    ["application/atom+xml", Buffer.from("<a/>"), "<a/>"],
    ["application/x-ndjson", Buffer.from("1\n2"), "1\n2"],
    ["application/octet-stream; charset=utf-8", Buffer.from("é"), "é"],
  ])("[H-json] %s", async (contentType, body, text) => {
    expect(textOf(await (await answered(body, type(contentType))).call())).toBe(text);
  });

  test("[H-json] without a content type UTF-8 is text, anything else bytes", async () => {
    expect((await (await answered("grün")).call()).content).toEqual([{ type: "text", text: "grün" }]);
    expect((await (await answered(Buffer.from([0, 1, 255]))).call()).content[0]).toMatchObject({
      type: "resource",
    });
  });

  test.each([204, 304])("[H-empty] status %i gives an empty text", async (status) => {
    const outcome = await (await answered("", type("image/png"), status)).call();
    expect(outcome.content).toEqual([{ type: "text", text: "" }]);
    expect(outcome.metadata).toMatchObject({ status_code: status });
  });
});

describe("binary", () => {
  const bytes = Buffer.from([0x89, 0x50, 0, 0xff]);
  const data = bytes.toString("base64");

  test("[H-json] images and audio are items", async () => {
    expect((await (await answered(bytes, type("Image/PNG; q=1"))).call()).content).toEqual([
      { type: "image", data, mimeType: "image/png" },
    ]);
    expect((await (await answered(bytes, type("audio/mpeg"))).call()).content).toEqual([
      { type: "audio", data, mimeType: "audio/mpeg" },
    ]);
  });

  test.each(["application/octet-stream", "application/pdf", "application/zip", "video/mp4", "font/woff2"])(
    "[H-json] %s is a resource, its address without the query",
    async (mimeType) => {
      const outcome = await (await answered(bytes, type(mimeType))).call();
      expect(outcome.content).toEqual([
        {
          type: "resource",
          resource: {
            uri: expect.stringMatching(/^http:\/\/127.0.0.1:\d+\/path\/file$/),
            mimeType,
            blob: data,
          },
        },
      ]);
    },
  );

  test("[H-secrets] the address of a resource shows no env value", async () => {
    const server = await serve((_, response) => response.writeHead(200, type("application/pdf")).end("%PDF"));
    const made = await tool({ url: `${server.url}/bot{{env.TOKEN}}/file` });
    expect(JSON.stringify(await made.call({ env: { TOKEN: "s3cret" } }))).not.toContain("s3cret");
  });
});

describe("compressed", () => {
  const plain = JSON.stringify({ text: "ä".repeat(1000) });
  test.each([
    ["gzip", gzipSync(plain)],
    ["x-gzip", gzipSync(plain)],
    ["deflate", deflateSync(plain)],
    ["deflate", deflateRawSync(plain)],
    ["br", brotliCompressSync(plain)],
    ["zstd", zstdCompressSync(plain)],
    ["gzip, br", brotliCompressSync(gzipSync(plain))],
    ["identity", Buffer.from(plain)],
  ])("[H-encoding] %s is decoded", async (encoding, body) => {
    const made = await answered(body, { ...type("application/json"), "content-encoding": encoding });
    expect((await made.call()).structuredContent).toEqual(JSON.parse(plain));
  });

  const refused = (bytes: number) => ({
    code: "http_response_limit",
    message: expect.stringContaining(`${bytes} bytes`),
  });

  test("[H-bomb] a small body that becomes larger than the default limit is refused", async () => {
    const bomb = zstdCompressSync(Buffer.alloc(11 * 1024 * 1024));
    expect(await (await answered(bomb, { "content-encoding": "zstd" })).fail()).toMatchObject(
      refused(10_485_760),
    );
  });

  const large = Buffer.alloc(1_000_000);
  test.each([
    ["gzip", gzipSync(large)],
    ["br", brotliCompressSync(large)],
    ["zstd", zstdCompressSync(large)],
    ["gzip, gzip", gzipSync(gzipSync(large))],
  ])("[H-bomb] a small %s body that becomes a large one is refused", async (encoding, body) => {
    expect(body.length).toBeLessThan(10_000);
    const made = await answered(body, { "content-encoding": encoding });
    expect(await made.fail({ limits: { maxResponseBytes: 100_000 } })).toMatchObject(refused(100_000));
  });

  test("[H-encoding] damaged data and unknown encodings are errors", async () => {
    expect(await (await answered("not gzip", { "content-encoding": "gzip" })).fail()).toMatchObject({
      metadata: { status_code: 200, response_time_ms: expect.any(Number), attempts: 1 },
      code: "http_network",
    });
    expect(await (await answered("x", { "content-encoding": "compress" })).fail()).toMatchObject({
      code: "http_network",
    });
    const many = Array(9).fill("gzip").join(",");
    expect(await (await answered("x", { "content-encoding": many })).fail()).toMatchObject({
      code: "http_network",
    });
  });
});

describe("statuses", () => {
  test("[C-result] 400 and above is an error with the beginning of the body and all metadata", async () => {
    const error = await (await answered('{"error":"no such thing"}', type("application/json"), 404)).fail();
    expect(error.code).toBe("http_status");
    expect(error.message).toBe('HTTP request failed: 404 Not Found\n{"error":"no such thing"}');
    expect(error.metadata).toEqual({
      status_code: 404,
      response_time_ms: expect.any(Number),
      execution_time_ms: expect.any(Number),
      attempts: 1,
    });
  });

  test("[C-result] success carries the same metadata, in whole milliseconds", async () => {
    const { metadata } = await (await answered("ok")).call();
    expect(metadata).toEqual({
      status_code: 200,
      response_time_ms: expect.any(Number),
      execution_time_ms: expect.any(Number),
      attempts: 1,
    });
    expect(Number.isInteger(metadata?.["response_time_ms"])).toBe(true);
  });

  test("[C-result] a long body is cut, a compressed one decoded, a binary one left out", async () => {
    const long = await (await answered("x".repeat(5000), type("text/plain"), 500)).fail();
    expect(long.message).toBe(`HTTP request failed: 500 Internal Server Error\n${"x".repeat(500)}…`);
    const zipped = { ...type("text/plain"), "content-encoding": "gzip" };
    expect((await (await answered(gzipSync("why"), zipped, 418)).fail()).message).toBe(
      "HTTP request failed: 418 I'm a Teapot\nwhy",
    );
    expect((await (await answered("not gzip", zipped, 400)).fail()).message).toBe(
      "HTTP request failed: 400 Bad Request",
    );
    expect((await (await answered(Buffer.from([1, 2]), type("image/png"), 502)).fail()).message).toBe(
      "HTTP request failed: 502 Bad Gateway",
    );
  });

  test("[H-secrets] the cut never leaves half a secret", async () => {
    const server = await serve((request, response) => {
      response
        .writeHead(500, type("text/plain"))
        .end(`${"x".repeat(480)}${request.headers["x-key"]} and more`);
    });
    const made = await tool({ url: server.url, headers: { "X-Key": "{{env.K}}" } });
    const { message } = await made.fail({ env: { K: "s3cret-that-is-longer-than-what-is-left" } });
    expect(message).not.toContain("s3c");
    expect(message).toContain("***");
  });

  test("[C-result] a status without a name has none", async () => {
    expect((await (await answered("", {}, 599)).fail()).message).toBe("HTTP request failed: 599 unknown");
  });

  test("[H-secrets] neither URL query nor headers are part of the message", async () => {
    const server = await serve((_, response) => response.writeHead(404).end());
    const made = await tool({
      url: `${server.url}/x?token={{env.T}}`,
      headers: { "X-Key": "{{env.T}}" },
      auth: { type: "apiKey", in: "query", name: "k", value: "{{env.T}}" },
    });
    const error = await made.fail({ env: { T: "s3cret" } });
    expect(error.message).not.toContain("s3cret");
    expect(made.secrets).toContain("s3cret");
  });
});
