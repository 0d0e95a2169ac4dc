import { execFile } from "node:child_process";
import { createServer, type RequestListener, Server } from "node:http";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../../test/eventually.ts";
import { boundedFetch, StaleConnectionError } from "./fetch.ts";

let server: TcpServer | undefined;
afterEach(() => {
  server?.close();
  if (server instanceof Server) server.closeAllConnections();
});

async function listening(): Promise<string> {
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server!.address() as AddressInfo).port}`;
}

function served(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  return listening();
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
    await expect(fetch(url)).rejects.toThrow(/longer than 1000 bytes/);
    await eventually(() => open).toBe(0);
  });

  it("that comes packed, which was not asked for, is not unpacked", async () => {
    let asked: string | undefined;
    const url = await served((incoming, out) => {
      asked = incoming.headers["accept-encoding"];
      out.setHeader("content-encoding", "gzip");
      out.end(gzipSync("a".repeat(1_000_000)));
    });
    await expect(fetch(url)).rejects.toThrow(/compressed \(gzip\)/);
    expect(asked).toBe("identity");
  });

  it.each(["Identity", "", "utf-8", "identity, identity"])(
    'that calls its plain bytes encoded as "%s", as some servers do, is read',
    async (encoding) => {
      const url = await served((_, out) => out.writeHead(200, { "content-encoding": encoding }).end("plain"));
      expect(await (await fetch(url)).text()).toBe("plain");
    },
  );

  const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
  it.each<[string, (socket: Socket) => void]>([
    ["before its head is complete", (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-le")],
    ["inside its body", (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345")],
    ["inside its last piece", (socket) => socket.end(`${chunked}5\r\n12`)],
    ["in nonsense", (socket) => socket.end(`${chunked}zz\r\n12345\r\n`)],
    ["with a reset", (socket) => socket.write(chunked, () => socket.resetAndDestroy())],
    [
      "in another protocol",
      (socket) =>
        void socket.write("HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"),
    ],
  ])("that ends %s is an error, never half an answer", async (_, send) => {
    server = createTcpServer((socket) => {
      socket.on("error", () => undefined).once("data", () => send(socket));
    });
    await expect(fetch(await listening())).rejects.toThrow();
  });

  it("whose end is the end of the connection is whole", async () => {
    server = createTcpServer((socket) => {
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\nin");
        setTimeout(() => socket.end(" two"), 20);
      });
    });
    expect(await (await fetch(await listening())).text()).toBe("in two");
  });

  it("has the status, the headers and the text it was sent with, also where there is none", async () => {
    const url = await served((incoming, out) => {
      if (incoming.url === "/empty") out.writeHead(204).end();
      else out.writeHead(404, { "x-a": "1", "set-cookie": ["a", "b"] }).end("né");
    });
    const found = await fetch(`${url}/text`);
    expect([found.status, found.ok, found.statusText]).toEqual([404, false, "Not Found"]);
    expect(found.headers.get("x-a")).toBe("1");
    expect(await found.text()).toBe("né");
    const empty = await fetch(`${url}/empty`);
    expect([empty.status, empty.ok, await empty.text()]).toEqual([204, true, ""]);
  });

  it("comes over the connection of the one before, where that is free", async () => {
    const sockets = new Set<unknown>();
    const url = await served((incoming, out) => {
      sockets.add(incoming.socket);
      out.end("yes");
    });
    for (let n = 0; n < 5; n++) await fetchAlone(url);
    expect(sockets.size).toBe(1);
  });

  /** With what comes after it, its connection is free for the next: what a server sends unasked is seen before that. */
  async function fetchAlone(url: string): Promise<string> {
    const text = await (await fetch(url)).text();
    await nextTurn();
    return text;
  }

  /** Answers the first request of every connection; what comes after it is configurable. */
  async function answeringOnce(
    after: (socket: Socket) => void,
  ): Promise<{ url: string; asked: () => number }> {
    let asked = 0;
    server = createTcpServer((socket) => {
      let first = true;
      socket
        .on("error", () => undefined)
        .on("data", () => {
          asked++;
          if (first) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nyes");
          else after(socket);
          first = false;
        });
    });
    return { url: await listening(), asked: () => asked };
  }

  it.each<[string, (socket: Socket) => void]>([
    ["closed", (socket) => socket.destroy()],
    ["reset", (socket) => socket.resetAndDestroy()],
  ])(
    "that a pooled connection lost as it was reused, %s, is recognized, for it may be sent again",
    async (_, lose) => {
      const { url, asked } = await answeringOnce(lose);
      expect(await fetchAlone(url)).toBe("yes");
      await expect(fetch(url, { method: "POST", body: "{}" })).rejects.toBeInstanceOf(StaleConnectionError);
      expect(await (await fetch(url, { method: "POST", body: "{}" })).text()).toBe("yes");
      expect(asked()).toBe(3);
    },
  );

  it.each<[object, number]>([
    [{ error: { code: 502, message: "Provider returned error" } }, 502],
    [{ error: { code: "rate_limited", message: "x" } }, 502],
    [{ error: "text" }, 502],
    [{ error: { code: 429 }, choices: [] }, 429],
    [{ error: null, choices: [{}] }, 200],
    [{ choices: [{ message: { content: '"error"' } }] }, 200],
  ])("that says 200 and holds %j has the status that was meant: %s [M-error-200]", async (body, status) => {
    const url = await served((_, out) => out.end(JSON.stringify(body)));
    expect((await fetch(url)).status).toBe(status);
  });

  it("does not count as not sent where the provider may have started work", async () => {
    const { url, asked } = await answeringOnce((socket) => setTimeout(() => socket.destroy(), 1100));
    await fetchAlone(url);
    const error = await fetch(url).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "UND_ERR_SOCKET" });
    expect(error).not.toBeInstanceOf(StaleConnectionError);
    expect(asked()).toBe(2);
  });

  it.each<[string, string | undefined]>([
    ["that is reset", undefined],
    ["with half a head", "HTTP/1.1 200 OK\r\ncontent-le"],
    ["with no head at all", "garbage"],
  ])("does not count as not sent over a new connection %s: the provider has seen it", async (_, sent) => {
    server = createTcpServer((socket) => {
      socket
        .on("error", () => undefined)
        .once("data", () => (sent === undefined ? socket.resetAndDestroy() : socket.end(sent)));
    });
    const error = await fetch(await listening()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(StaleConnectionError);
  });

  it("does not count as not sent once it has begun, nor for a caller that has left", async () => {
    const { url, asked } = await answeringOnce((socket) => {
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\ny");
    });
    await fetchAlone(url);
    await expect(fetch(url)).rejects.toThrow("in the middle of the response");
    expect(asked()).toBe(2);
    const controller = new AbortController();
    const hanging = await answeringOnce(() => controller.abort(new Error("gone")));
    await fetchAlone(hanging.url);
    await expect(fetch(hanging.url, { signal: controller.signal })).rejects.toThrow("gone");
    expect(hanging.asked()).toBe(2);
  });

  it("is never what was left over from the one before", async () => {
    const spoken = (text: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
    server = createTcpServer((socket) => {
      socket.on("error", () => undefined).on("data", () => socket.write(spoken("asked") + spoken("unasked")));
    });
    const url = await listening();
    for (let n = 0; n < 3; n++) expect(await (await fetch(url)).text()).toBe("asked");
  });

  it("comes over IPv6 too", async () => {
    server = createServer((_, out) => out.end("six"));
    await new Promise<void>((resolve) => server!.listen(0, "::1", resolve));
    const { port } = server.address() as AddressInfo;
    expect(await (await fetch(`http://[::1]:${port}/`)).text()).toBe("six");
  });

  it("comes through a proxy where Node.js is configured to use one, and only there", async () => {
    const url = await served((incoming, out) => out.end(`through the proxy to ${incoming.url}`));
    const code = `
      const { boundedFetch } = await import(${JSON.stringify(import.meta.resolve("./fetch.ts"))});
      console.log(await boundedFetch()("http://nowhere.invalid/v1").then((r) => r.text(), (e) => e.code));`;
    const say = async (env: Record<string, string>) => {
      const options = { env: { PATH: process.env["PATH"], HTTP_PROXY: url, ...env } };
      return (await promisify(execFile)(process.execPath, ["-e", code], options)).stdout.trim();
    };
    expect(await say({ NODE_USE_ENV_PROXY: "1" })).toBe("through the proxy to http://nowhere.invalid/v1");
    expect(await say({})).toMatch(/ENOTFOUND|EAI_AGAIN/);
  });

  it("is not asked for by a caller that left before there was a connection", async () => {
    let asked = 0;
    const url = await served((_, out) => {
      asked++;
      out.end("yes");
    });
    const controller = new AbortController();
    const response = fetch(url, { signal: controller.signal });
    controller.abort(new Error("gone"));
    await expect(response).rejects.toThrow("gone");
    expect(await fetchAlone(url)).toBe("yes");
    expect(asked).toBe(1);
  });

  it("is not asked for by a caller that is gone", async () => {
    let asked = 0;
    const url = await served((_, out) => {
      asked++;
      out.end("yes");
    });
    await expect(fetch(url, { signal: AbortSignal.abort(new Error("gone")) })).rejects.toThrow("gone");
    expect(asked).toBe(0);
  });
});
