import type { IncomingMessage, ServerResponse } from "node:http";
import { MCIClient } from "mci-ts";
import { describe, expect, onTestFinished, test } from "vitest";
import { serve } from "../../../test/servers.ts";

describe("[H-pagination] pages are followed on the same origin and joined", () => {
  test("by the Link header, with the credentials, and progress", async () => {
    const asked: string[] = [];
    const { url } = await serve((request, response) => {
      asked.push(`${request.url} ${request.headers.authorization}`);
      const page = pageOf(request);
      if (page < 3)
        response.setHeader("link", `</issues?page=${page + 1}>; rel="next", </issues?page=3>; rel="last"`);
      json(response, [page * 10, page * 10 + 1]);
    });
    const progress: unknown[] = [];
    const auth = { type: "bearer", token: "t0ken" };
    const result = await run({ url: `${url}/issues`, auth, pagination: { next: "link" } }, progress);
    expect(result.structuredContent).toEqual([10, 11, 20, 21, 30, 31]);
    expect(result.metadata).toMatchObject({ pages: 3, has_more: false });
    expect(asked).toEqual([
      "/issues Bearer t0ken",
      "/issues?page=2 Bearer t0ken",
      "/issues?page=3 Bearer t0ken",
    ]);
    expect(progress).toMatchObject([
      { progress: 1 },
      { progress: 2 },
      { progress: 3, message: "page 3, 6 items" },
    ]);
  });

  test("by a cursor, which stays one value, and a list inside the page", async () => {
    const asked: (string | undefined)[] = [];
    const { url } = await serve((request, response) => {
      asked.push(request.url);
      json(response, { data: [asked.length], cursor: asked.length < 2 ? "a&b=c/../ü" : null });
    });
    const pagination = { next: { select: "cursor", param: "after" }, items: "data" };
    const result = await run({ url: `${url}/x?q=1`, pagination });
    expect(result.structuredContent).toEqual([1, 2]);
    expect(new URL(asked[1]!, url).searchParams.get("after")).toBe("a&b=c/../ü");
    expect(new URL(asked[1]!, url).pathname).toBe("/x");
  });

  test("an address on another origin is not asked", async () => {
    let other = 0;
    const stranger = await serve((_, response) => {
      other++;
      json(response, [99]);
    });
    const { url } = await serve((_, response) =>
      json(response, { items: [1], next: `${stranger.url}/steal` }),
    );
    const result = await run({ url, pagination: { next: { select: "next" }, items: "items" } });
    expect(result.structuredContent).toEqual([1]);
    expect(other).toBe(0);
    expect(result.metadata).toMatchObject({
      has_more: true,
      notes: [`There is more: the next page is not on ${url}. Pages read: 1, items: 1.`],
    });
  });

  test("limits hold, a loop ends, and more is said to be there", async () => {
    const { url } = await serve((request, response) => {
      response.setHeader("link", `<?page=${pageOf(request) + 1}>; rel=next`);
      json(response, [1, 2, 3]);
    });
    const few = await run({ url, pagination: { next: "link", maxPages: 2 } });
    const ending = (limit: string, pages: number, items: number) => ({
      has_more: true,
      notes: [`There is more: pagination ended at ${limit}. Pages read: ${pages}, items: ${items}.`],
    });
    expect(few.metadata).toMatchObject({ pages: 2, ...ending("maxPages", 2, 6) });
    const items = await run({ url, pagination: { next: "link", maxItems: 4 } });
    expect(items.structuredContent).toEqual([1, 2, 3, 1]);
    expect(items.metadata).toMatchObject(ending("maxItems", 2, 4));
    const nothing = await run({ url, pagination: { next: { select: "x" }, items: "[].y | [0]" } });
    expect(nothing.metadata["notes"]).toEqual([expect.stringContaining("found nothing in the first page")]);
    const { url: loop } = await serve((_, response) => json(response, { items: [1], next: "/same" }));
    const ended = await run({
      url: `${loop}/same`,
      pagination: { next: { select: "next" }, items: "items" },
    });
    expect(ended.metadata).toMatchObject({ pages: 1, has_more: false });
  });

  test("the call's deadline ends it, and a page that is not a list is an error", async () => {
    const { url } = await serve((request, response) => {
      response.setHeader("link", `<?page=${pageOf(request) + 1}>; rel=next`);
      setTimeout(() => json(response, [1]), 100);
    });
    const late = await run({ url, timeout_ms: 350, pagination: { next: "link", maxPages: 100 } });
    expect(late.metadata.error_code).toBe("http_timeout");
    const { url: object } = await serve((_, response) => json(response, { a: 1 }));
    const wrong = await run({ url: object, pagination: { next: "link" } });
    expect(wrong.metadata.error_code).toBe("result_not_json");
    expect(wrong.text).toContain("Set pagination.items");
  });
});

function pageOf(request: IncomingMessage): number {
  return Number(new URL(request.url!, "http://x").searchParams.get("page") ?? 1);
}

function json(response: ServerResponse, value: unknown): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(value));
}

async function run(execution: object, progress: unknown[] = []) {
  const tools = [{ name: "t", execution: { type: "http", ...execution } }];
  const client = await MCIClient.fromObject({ schemaVersion: "1.0", tools });
  onTestFinished(() => client.close());
  return client.execute("t", {}, { onProgress: (step) => progress.push(step) });
}
