import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../../test/eventually.ts";
import { boundedFetch } from "./bounded-fetch.ts";

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

async function served(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("a provider's response", () => {
  const fetch = boundedFetch(1000);

  it.each([
    [
      "with its length",
      (body: string): RequestListener =>
        (_, out) =>
          out.end(body),
    ],
    [
      "in pieces",
      (body: string): RequestListener =>
        (_, out) => {
          for (const char of body) out.write(char);
          out.end();
        },
    ],
    [
      "packed",
      (body: string): RequestListener =>
        (_, out) => {
          out.setHeader("content-encoding", "gzip");
          out.end(gzipSync(body));
        },
    ],
  ])("sent %s is read up to the limit and not beyond", async (_, send) => {
    const read = async (body: string) => (await fetch(await served(send(body)))).text();
    expect(await read("a".repeat(1000))).toHaveLength(1000);
    await expect(read("a".repeat(1001))).rejects.toThrow(/longer than 1000 bytes/);
  });

  it("that never ends is cut off, whatever its status", async () => {
    let open = 0;
    const url = await served((_, out) => {
      open++;
      out.on("close", () => open--).on("error", () => undefined);
      out.writeHead(500);
      const more = () => {
        while (!out.destroyed && out.write("a".repeat(10_000)));
        out.once("drain", more);
      };
      more();
    });
    const response = await fetch(url);
    expect(response.status).toBe(500);
    await expect(response.text()).rejects.toThrow(/longer than 1000 bytes/);
    await eventually(() => open).toBe(0);
  });
});
