import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { serve } from "../../../../test/servers.ts";
import { requireBrowserAddress } from "./browser-address.ts";
import { openLoginFetch } from "./login-fetch.ts";

let port: number;
const seen: string[] = [];
beforeAll(async () => {
  ({ port } = await serve((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    if (request.url === "/bomb")
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(2 * 1024 * 1024)));
    else if (request.url?.startsWith("/silent")) return;
    else if (request.url?.startsWith("/endless")) response.write("{");
    else if (request.url === "/moved") response.writeHead(307, { location: "/elsewhere" }).end();
    else response.end("{}");
  }, afterAll));
});

async function open(trusted: string, options: { timeoutMs?: number; signal?: AbortSignal } = {}) {
  const { fetch, close } = await openLoginFetch({ trusted: [trusted], ...options });
  onTestFinished(close);
  return fetch;
}

describe("the requests of a login", () => {
  test.each(["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "0.0.0.0"])(
    "[LOGIN-fetch] a server in the public network cannot lead them to %s",
    async (host) => {
      const fetch = await open("https://mcp.example.com");
      seen.length = 0;
      await expect(fetch(`http://${host}:${port}/metadata`)).rejects.toMatchObject({
        cause: { message: expect.stringContaining("is not a public address") },
      });
      expect(seen).toEqual([]);
    },
  );

  test("[LOGIN-fetch] hosts that the file names may be private, as those of a server that is private itself", async () => {
    const fetch = await open(`http://127.0.0.1:${port}`);
    expect(await (await fetch(`http://localhost:${port}/`)).text()).toBe("{}");
  });

  test.each(["silent", "endless"])(
    "[LOGIN-fetch] a %s response says who did not respond, for how long, and what to do",
    async (path) => {
      const origin = `http://127.0.0.1:${port}`;
      const fetch = await open(origin, { timeoutMs: 50 });
      await expect(fetch(`${origin}/${path}?code=secret`)).rejects.toThrow(
        new Error(
          `${origin} did not respond within 0.05 seconds. Check that it can be reached from here, then log in again`,
        ),
      );
      const [cancelled, reason] = [new AbortController(), new Error("stopped by the person")];
      const stopped = (await open(origin, { signal: cancelled.signal }))(`${origin}/${path}`);
      cancelled.abort(reason);
      await expect(stopped).rejects.toBe(reason);
    },
  );

  test("[LOGIN-fetch] a response has a limit, also unpacked, and a form with secrets is not sent on", async () => {
    const fetch = await open(`http://127.0.0.1:${port}`);
    await expect(fetch(`http://127.0.0.1:${port}/bomb`)).rejects.toThrow("more than 1048576 bytes");
    seen.length = 0;
    await expect(
      fetch(`http://127.0.0.1:${port}/moved`, { method: "POST", body: "code=1" }),
    ).rejects.toThrow();
    expect(seen).toEqual(["POST /moved"]);
  });
});

test.each([
  "http://login.example.com/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "ms-word:x",
  "http://127.0.0.1.evil.example/",
])("[LOGIN-fetch] no browser is sent to %s", (address) => {
  expect(() => requireBrowserAddress(new URL(address))).toThrow("must be at an https address");
});
