import { readFileSync } from "node:fs";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { echo, serve, serveRaw } from "../../../test/servers.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { CONNECTIONS } from "../src/execute/http/agent.ts";
import { LiteMcpClient, type LoadOptions, MCIClient } from "../src/index.ts";
import { ProxyAgents } from "../src/proxy/proxy-agent.ts";
import { readProxyRules } from "../src/proxy/settings.ts";
import { type Execution, openSession, textOf, tool } from "./http/harness.ts";
import { startProxy } from "./http/proxy-server.ts";
import { selfSigned } from "./http/tls.ts";
import { createWorkbench } from "./mcp/servers/workbench.ts";

/** The result of a tool with this execution in a client with this proxy. */
async function call(execution: Execution, proxy: LoadOptions["proxy"], properties = {}) {
  const tools = [
    {
      name: "ask",
      inputSchema: { type: "object", properties: { host: { type: "string" } } },
      execution: { type: "http", ...execution },
    },
  ];
  const client = await MCIClient.fromObject({ schemaVersion: "1.0", tools }, { proxy });
  onTestFinished(() => client.close());
  return client.execute("ask", properties);
}

describe("requests through a proxy", () => {
  test("[H-proxy] http goes to it whole, and the name is looked up there", async () => {
    const server = await serve(echo);
    const proxy = await startProxy({ names: { "api.test:8000": `127.0.0.1:${server.port}` } });
    const body = { type: "json", content: { a: 1 } } as const;
    const result = await call({ method: "POST", url: "http://api.test:8000/a?b=1", body }, proxy.url);
    expect(result.structuredContent).toMatchObject({
      method: "POST",
      url: "/a?b=1",
      headers: { host: "api.test:8000", "user-agent": "mci-ts" },
      body: '{"a":1}',
    });
    expect(proxy.requests).toEqual(["POST http://api.test:8000/a?b=1"]);
  });

  test("[H-proxy] https goes through a tunnel, in which the server's certificate is checked", async () => {
    const server = await selfSigned();
    const proxy = await startProxy();
    const settings = { https: proxy.url };
    const untrusted = await call({ url: `${server.url}/` }, settings);
    expect(untrusted.error).toContain("certificate is not trusted");
    const before = getCACertificates("default");
    onTestFinished(() => setDefaultCACertificates(before));
    setDefaultCACertificates([...before, readFileSync(server.certificateFile, "utf8")]);
    expect((await call({ url: `${server.url}/` }, settings)).text).toBe("secure");
    expect(proxy.requests).toEqual(Array(2).fill(`CONNECT 127.0.0.1:${server.port}`));
  });

  test("[H-proxy] each scheme has its own, and hosts of noProxy are reached directly", async () => {
    const server = await serve((_, response) => response.end("direct"));
    const proxy = await startProxy();
    expect((await call({ url: server.url }, { https: proxy.url })).text).toBe("direct");
    expect((await call({ url: server.url }, { http: proxy.url, noProxy: "127.0.0.0/8" })).text).toBe(
      "direct",
    );
    expect((await call({ url: server.url }, { http: "", https: "" })).text).toBe("direct");
    expect(proxy.requests).toEqual([]);
    expect((await call({ url: server.url }, { http: proxy.host })).text).toBe("direct");
    expect(proxy.requests).toEqual([`GET ${server.url}/`]);
  });

  test("[H-proxy] the proxy is chosen again for a redirect", async () => {
    const inside = await serve((_, response) => response.end("inside"));
    const proxy = await startProxy({ names: { "api.test": `127.0.0.1:${inside.port}` } });
    const moved = await serve((_, response) =>
      response.writeHead(302, { location: "http://api.test/x" }).end(),
    );
    const settings = { http: proxy.url, noProxy: "127.0.0.1" };
    const result = await call({ url: moved.url, allowPrivateNetwork: true }, settings);
    expect(result.text).toBe("inside");
    expect(proxy.requests).toEqual(["GET http://api.test/x"]);
  });

  test("[H-proxy] a token is fetched through it, too", async () => {
    const server = await serve((request, response) => {
      if (request.url !== "/token") return response.end(request.headers.authorization);
      response.setHeader("content-type", "application/json").end('{"access_token":"tok-1"}');
    });
    const proxy = await startProxy({ names: { "api.test": `127.0.0.1:${server.port}` } });
    const auth = {
      type: "oauth2",
      flow: "clientCredentials",
      tokenUrl: "http://api.test/token",
      clientId: "id",
      clientSecret: "client-secret",
    } as const;
    expect((await call({ url: "http://api.test/me", auth }, proxy.url)).text).toBe("Bearer tok-1");
    expect(proxy.requests).toEqual(["POST http://api.test/token", "GET http://api.test/me"]);
  });
});

describe("a proxy that asks who is there", () => {
  const withPassword = (url: string) => url.replace("//", "//ada:pr%40xy-pass@");

  test("[H-proxy-secrets] gets user and password, and the server does not", async () => {
    const server = await serve(echo);
    const proxy = await startProxy({ credentials: "ada:pr@xy-pass" });
    const result = await call({ url: server.url }, withPassword(proxy.url));
    expect(result.structuredContent).toMatchObject({ method: "GET" });
    expect(JSON.stringify(result)).not.toMatch(/proxy-authorization|pr@xy/);
  });

  test.each(["http", "https"])("[H-proxy] over %s a refusal says what to do", async (scheme) => {
    const proxy = await startProxy({ credentials: "ada:pr@xy-pass" });
    const retries = { attempts: 3, backoff_ms: 1 };
    const wrong = proxy.url.replace("//", "//ada:wr0ng-pass@");
    const result = await call({ url: `${scheme}://api.test/`, retries }, wrong);
    expect(result.error).toContain("asks for a user and a password");
    expect(result.error).not.toMatch(/wr0ng|pr@xy/);
    expect(result.metadata).toMatchObject({ error_code: "http_network", attempts: 1 });
  });

  test("[H-proxy-secrets] its own page may repeat the password; the error does not", async () => {
    const proxy = await startProxy({
      credentials: "ada:pr@xy-pass",
      names: { "gone.test": "127.0.0.1:1" },
    });
    const result = await call({ url: "http://gone.test/" }, withPassword(proxy.url));
    expect(result.error).toContain("502");
    expect(result.error).toContain("***");
    expect(JSON.stringify(result)).not.toContain("pr@xy-pass");
  });

  test("[H-proxy-secrets] an address that cannot be one is not repeated", async () => {
    await expect(call({ url: "http://a.test/" }, "socks5://ada:pr%40xy-pass@a")).rejects.toThrow(
      /^options\.proxy must be the address of an HTTP proxy/,
    );
    await expect(call({ url: "http://a.test/" }, { https: "http://ada:pass@:1" })).rejects.toThrow(
      /^options\.proxy\.https must be(?!.*ada:pass)/,
    );
    await expect(call({ url: "http://a.test/" }, { https: 1 as never })).rejects.toThrow(
      "options.proxy.https must be a string",
    );
  });
});

describe("a proxy that fails", () => {
  test("[H-proxy] and cannot be reached is named, without its password", async () => {
    const result = await call({ url: "http://api.test/" }, "http://ada:secret-pass@127.0.0.1:1");
    expect(result.error).toContain(
      "the proxy http://127.0.0.1:1 failed: it could not be reached (ECONNREFUSED)",
    );
    const tunnelled = await call({ url: "https://api.test/" }, "http://ada:secret-pass@127.0.0.1:1");
    expect(tunnelled.error).toContain("the proxy http://127.0.0.1:1 failed: it could not be reached");
    expect(`${result.error} ${tunnelled.error}`).not.toContain("secret-pass");
  });

  test("[H-proxy] refuses a tunnel for good, or for now", async () => {
    const answer = (status: string) =>
      startProxy({ onConnect: (socket) => socket.end(`HTTP/1.1 ${status}\r\n\r\n`) });
    const retries = { attempts: 2, backoff_ms: 1 };
    const forbidden = await call({ url: "https://a.test/", retries }, (await answer("403 No")).url);
    expect(forbidden.error).toContain("refused to connect (status 403)");
    expect(forbidden.metadata).toMatchObject({ attempts: 1 });
    const busy = await call({ url: "https://a.test/", retries }, (await answer("503 Busy")).url);
    expect(busy.metadata).toMatchObject({ attempts: 2 });
  });

  test("[H-proxy] and hangs up is an error, not a loop", async () => {
    const proxy = await startProxy({ onConnect: (socket) => socket.destroy() });
    const result = await call({ url: "https://a.test/", timeout_ms: 5000 }, proxy.url);
    expect(result.error).toContain("closed the connection");
  });

  test("[H-proxy] and never answers costs the deadline, no more", async () => {
    const silent = await serveRaw(() => {});
    const result = await call({ url: "https://a.test/", timeout_ms: 50 }, silent.url);
    expect(result.metadata).toMatchObject({ error_code: "http_timeout" });
  });

  test("[H-proxy] a tool that sets Proxy-Authorization itself fails with an error that says so", async () => {
    const proxy = await startProxy();
    const headers = { "Proxy-Authorization": "Basic x" };
    const result = await call({ url: "http://a.test/", headers }, proxy.url);
    expect(result.error).toContain("Proxy-Authorization");
    expect(proxy.requests).toEqual([]);
  });
});

describe("a host from the caller, through a proxy", () => {
  const lookup = (host: string, _: unknown, callback: (error: Error | null, found: never[]) => void) => {
    const address = { "public.test": "203.0.114.1", "inside.test": "10.0.0.1" }[host];
    if (address === undefined) return callback(new Error("unknown"), []);
    const also = host === "inside.test" ? [{ address: "203.0.114.1", family: 4 }] : [];
    callback(null, [{ address, family: 4 }, ...also] as never[]);
  };
  const behind = async (execution: Execution, proxyUrl: string) => {
    const rules = readProxyRules(proxyUrl)!;
    const proxies = await ProxyAgents.open(rules, { pool: CONNECTIONS, timeoutMs: 1000 });
    return tool(execution, openSession({ lookup, proxies }));
  };

  test.each(["127.0.0.1", "inside.test", "unknown.test", "0x7f.1"])(
    "[H-proxy-private] %s is refused before the proxy hears of it",
    async (host) => {
      const proxy = await startProxy();
      const made = await behind({ url: "http://{{props.host}}/" }, proxy.url);
      const error = await made.fail({ props: { host } });
      expect(error).toMatchObject({ code: "private_network" });
      expect(error.message).toContain("allowPrivateNetwork: true");
      expect(proxy.requests).toEqual([]);
    },
  );

  test("[H-proxy-private] a public name goes through, though the proxy itself is private", async () => {
    const server = await serve((_, response) => response.end("out"));
    const proxy = await startProxy({ names: { "public.test": `127.0.0.1:${server.port}` } });
    const made = await behind({ url: "http://{{props.host}}/" }, proxy.url);
    expect(textOf(await made.call({ props: { host: "public.test" } }))).toBe("out");
  });

  test("[H-proxy-private] allowPrivateNetwork leaves it to the proxy", async () => {
    const server = await serve((_, response) => response.end("in"));
    const proxy = await startProxy({ names: { "unknown.test": `127.0.0.1:${server.port}` } });
    const made = await behind({ url: "http://{{props.host}}/", allowPrivateNetwork: true }, proxy.url);
    expect(textOf(await made.call({ props: { host: "unknown.test" } }))).toBe("in");
  });

  test.each(["http://inside.test/", "http://10.0.0.1/", "http://unknown.test/"])(
    "[H-proxy-private] the author's own host may not redirect to %s",
    async (location) => {
      const server = await serve((_, response) => response.writeHead(302, { location }).end());
      const proxy = await startProxy({ names: { "api.test": `127.0.0.1:${server.port}` } });
      const made = await behind({ url: "http://api.test/" }, proxy.url);
      expect(await made.fail()).toMatchObject({ code: "http_redirect" });
      expect(proxy.requests).toEqual(["GET http://api.test/"]);
    },
  );
});

describe("MCP servers over HTTP", () => {
  const workbench = async () => {
    const server = await serve(toNodeHandler(createMcpHandler(() => createWorkbench())));
    const proxy = await startProxy({
      credentials: "ada:pr@xy-pass",
      names: { "mcp.test": `127.0.0.1:${server.port}` },
    });
    return { proxy, url: "http://mcp.test/mcp", address: proxy.url.replace("//", "//ada:pr%40xy-pass@") };
  };

  test("[M-proxy] are listed and called through the proxy", async () => {
    const { proxy, url, address } = await workbench();
    const baseDir = temporaryFolder();
    const document = { schemaVersion: "1.0", mcp_servers: { bench: { url } } };
    const client = await MCIClient.fromObject(document, { proxy: address, strict: true, baseDir });
    onTestFinished(() => client.close());
    expect((await client.execute("echo", { text: "hi" })).text).toContain("hi");
    expect(new Set(proxy.requests)).toContain(`POST ${url}`);
  });

  test("[M-proxy] a lite client takes one, too", async () => {
    const { url, address } = await workbench();
    await using mcp = await LiteMcpClient.connect({ server: { type: "http", url }, proxy: address });
    expect(await mcp.listTools()).toContain("echo");
  });

  test("[M-proxy] a proxy that refuses is the reason given, and its password is not", async () => {
    const { proxy, url } = await workbench();
    const wrong = proxy.url.replace("//", "//ada:wr0ng-pass@");
    const connected = LiteMcpClient.connect({ server: { type: "http", url }, proxy: wrong });
    await expect(connected).rejects.toThrow(/proxy.*407|407/i);
    await expect(connected).rejects.not.toThrow("wr0ng-pass");
    const secure = { type: "http", url: "https://mcp.test/mcp" } as const;
    await expect(LiteMcpClient.connect({ server: secure, proxy: wrong })).rejects.toThrow(
      `the proxy ${proxy.url} asks for a user and a password`,
    );
  });
});
