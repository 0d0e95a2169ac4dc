import { describe, expect, it } from "vitest";
import { startService } from "../../test/harness.ts";
import type { AppContext } from "../http/route.ts";
import { mcp } from "./mcp.ts";

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

/** The POST route, whose code is loaded on demand. */
async function postRoute(load?: Parameters<typeof mcp>[1]): Promise<() => Promise<string>> {
  const { service } = (await startService()).server;
  const [route] = mcp(service, load);
  return async () => {
    const raw = new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    });
    const response = await route!.handle(
      { req: { raw }, env: { incoming: { socket: {} } } } as unknown as AppContext,
      service,
      LIST as never,
    );
    return response.text();
  };
}

describe("the MCP handler, which is loaded with its first request,", () => {
  it("is loaded once for concurrent requests", async () => {
    let loads = 0;
    const ask = await postRoute(() => {
      loads++;
      return import("../mcp/handler.ts");
    });
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    for (const answer of answers) expect(answer).toContain("consult_council");
    expect(loads).toBe(1);
  });

  it("is loaded by the next request when the first load failed", async () => {
    let loads = 0;
    const ask = await postRoute(() => {
      loads++;
      return loads === 1 ? Promise.reject(new Error("too many open files")) : import("../mcp/handler.ts");
    });
    await expect(Promise.all([ask(), ask()])).rejects.toThrow("too many open files");
    expect(await ask()).toContain("consult_council");
    expect(loads).toBe(2);
  });
});

describe("an invalid request to /mcp", () => {
  it.each([
    ["is not JSON", "{bad", "application/json", 400, -32700],
    ["is not a message", '{"jsonrpc":"2.0"}', "application/json", 400, -32600],
    ["is of another type", "a=1", "text/plain", 415, -32600],
  ])("gets the JSON-RPC error code when it %s", async (_, body, type, status, code) => {
    const { url } = await startService();
    const accept = "application/json, text/event-stream";
    const headers = { "content-type": type, accept };
    const response = await fetch(`${url}/mcp`, { method: "POST", headers, body });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", error: { code }, id: null });
  });
});
