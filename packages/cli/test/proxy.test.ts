import { expect, test } from "vitest";
import { serve } from "../../../test/servers.ts";
import { mciHere } from "./in-process.ts";
import { folder } from "./mci.ts";

const TOOLS = {
  schemaVersion: "1.0",
  tools: [{ name: "ask", execution: { type: "http", url: "http://api.test/v1" } }],
};
const API = {
  openapi: "3.0.0",
  info: { title: "Pets", version: "1" },
  servers: [{ url: "http://api.test" }],
  paths: { "/pets": { get: { operationId: "listPets", responses: { 200: { description: "ok" } } } } },
};

/** A proxy that answers by itself, so that no name has to exist. */
async function startProxy() {
  const requests: string[] = [];
  const { host } = await serve(({ method, url }, response) => {
    requests.push(`${method} ${url}`);
    response.setHeader("content-type", "application/json").end(JSON.stringify(API));
  });
  return { host, requests };
}

test.each(["HTTP_PROXY", "http_proxy"])("[X-proxy] a tool is called through %s", async (name) => {
  const proxy = await startProxy();
  const cwd = folder({ "mci.json": TOOLS });
  const env = { [name]: `http://ada:pr0xy-pass@${proxy.host}` };
  const { code, stdout } = await mciHere(["call", "ask"], { cwd, env });
  expect(code).toBe(0);
  expect(stdout).toContain("Pets");
  expect(proxy.requests).toEqual(["GET http://api.test/v1"]);
});

test("[X-proxy] the variable in lower case comes first, and NO_PROXY names hosts that need none", async () => {
  const proxy = await startProxy();
  const cwd = folder({ "mci.json": TOOLS });
  const env = { http_proxy: proxy.host, HTTP_PROXY: "http://127.0.0.1:1", NO_PROXY: "api.example" };
  expect((await mciHere(["call", "ask"], { cwd, env })).code).toBe(0);
  const direct = await mciHere(["call", "ask"], { cwd, env: { ...env, NO_PROXY: "*" } });
  expect(direct.code).toBe(1);
  expect(proxy.requests).toHaveLength(1);
});

test("[X-proxy] a document is downloaded through it", async () => {
  const proxy = await startProxy();
  const cwd = folder();
  const args = ["import", "openapi", "http://api.test/openapi.json", "-o", "pets.mci.json"];
  const { code, stderr } = await mciHere(args, { cwd, env: { HTTP_PROXY: proxy.host } });
  expect(stderr).not.toContain("Error");
  expect(code).toBe(0);
  expect(proxy.requests).toEqual(["GET http://api.test/openapi.json"]);
});

test("[X-proxy] a variable that is not the address of a proxy is named, and its value is not", async () => {
  const cwd = folder({ "mci.json": TOOLS });
  const env = { HTTPS_PROXY: "socks5://ada:pr0xy-pass@a" };
  const { code, stderr } = await mciHere(["call", "ask"], { cwd, env });
  expect(code).toBe(2);
  expect(stderr).toContain("HTTPS_PROXY must be the address of an HTTP proxy");
  expect(stderr).toContain("unset HTTPS_PROXY");
  expect(stderr).not.toContain("pr0xy-pass");
});
