import { expect, test } from "vitest";
import { schemaErrors } from "../../src/publish/check.ts";
import { cardSchema } from "../../src/publish/schemas.ts";
import { folder } from "../mci.ts";
import { file, text } from "./file.ts";
import { serveHttp } from "./support.ts";

const metadata = { name: "com.example/tools", description: "Tools", version: "1.0.0" };
const FILE = { ...file(text("hello", "Hello")), metadata };

test("[RUN-card] the card is where MCP reserves a place, the catalogue names it; both are public, cached and for any page", async () => {
  const { url } = await serveHttp({ cwd: folder({ "mci.json": FILE }), args: ["--token", "s3cret"] });
  const response = await fetch(`${url}/server-card`, { headers: { origin: "https://elsewhere.example" } });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/mcp-server-card+json");
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  const body = await response.text();
  expect(body).not.toContain("s3cret");
  const card = JSON.parse(body);
  expect(schemaErrors(cardSchema, card)).toEqual([]);
  expect(card).toMatchObject({
    ...metadata,
    remotes: [{ url, headers: [{ name: "Authorization", isSecret: true }] }],
  });
  const etag = response.headers.get("etag")!;
  expect((await fetch(`${url}/server-card`, { headers: { "if-none-match": etag } })).status).toBe(304);
  expect((await fetch(`${url}/server-card`, { method: "POST", body: "x" })).status).toBe(405);
  const catalog = await fetch(new URL("/.well-known/ai-catalog.json", url));
  expect(catalog.headers.get("content-type")).toBe("application/ai-catalog+json");
  expect(await catalog.json()).toEqual({
    specVersion: "1.0",
    entries: [
      {
        identifier: "urn:air:example.com:mcp:tools",
        type: "application/mcp-server-card+json",
        url: `${url}/server-card`,
      },
    ],
  });
});

test("[RUN-card] --public-url is the address in the card; a file without a name in reverse DNS has none", async () => {
  const args = ["--public-url", "https://tools.example.com/mcp/"];
  const { url } = await serveHttp({ cwd: folder({ "mci.json": FILE }), args });
  const { remotes } = (await (await fetch(`${url}/server-card`)).json()) as { remotes: { url: string }[] };
  expect(remotes[0]).toMatchObject({ url: "https://tools.example.com/mcp" });
  const plain = { ...FILE, metadata: { ...metadata, name: "tools" } };
  const other = await serveHttp({ cwd: folder({ "mci.json": plain }) });
  expect((await fetch(`${other.url}/server-card`)).status).toBe(404);
  expect((await fetch(new URL("/.well-known/ai-catalog.json", other.url))).status).toBe(404);
});
