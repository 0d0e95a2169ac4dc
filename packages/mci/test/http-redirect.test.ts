import { describe, expect, test } from "vitest";
import { echo, serve } from "../../../test/servers.ts";
import { echoed, tool } from "./http/harness.ts";

/** A server that redirects `/go` to wherever the test says, and tells what it received elsewhere. */
async function redirecting(
  status: number,
  location: (self: string) => string,
  headers: Record<string, string> = {},
) {
  let self = "";
  const server = await serve((request, response) => {
    if (!request.url?.startsWith("/go")) return void echo(request, response);
    request.resume();
    response.writeHead(status, { location: location(self), ...headers }).end("moved");
  });
  self = server.url;
  return server;
}

describe("within one origin", () => {
  test.each([
    [301, "POST", "GET", ""],
    [302, "POST", "GET", ""],
    [303, "POST", "GET", ""],
    [303, "PUT", "GET", ""],
    [307, "POST", "POST", '{"a":1}'],
    [308, "POST", "POST", '{"a":1}'],
    [301, "PUT", "PUT", '{"a":1}'],
    [302, "GET", "GET", '{"a":1}'],
  ])("[H-redirect] %i turns %s into %s", async (status, method, becomes, body) => {
    const server = await redirecting(status, () => "/there?x=1");
    const made = await tool({ method, url: `${server.url}/go`, body: { type: "json", content: { a: 1 } } });
    const seen = echoed(await made.call());
    expect(seen).toMatchObject({ method: becomes, url: "/there?x=1", body });
    expect("content-type" in seen.headers).toBe(body !== "");
  });

  test("[H-redirect] credentials stay", async () => {
    const server = await redirecting(302, (self) => `${self}/there`);
    const made = await tool({
      url: `${server.url}/go`,
      headers: { Cookie: "c=1", "X-Key": "k" },
      auth: { type: "bearer", token: "t" },
    });
    expect(echoed(await made.call()).headers).toMatchObject({
      authorization: "Bearer t",
      cookie: "c=1",
      "x-key": "k",
    });
  });

  test("[H-redirect] relative, UTF-8 and fragment locations are understood", async () => {
    const server = await redirecting(302, () => Buffer.from("../../ä/b#frag", "utf8").toString("latin1"));
    const made = await tool({ url: `${server.url}/go/deep/er` });
    expect(echoed(await made.call()).url).toBe("/%C3%A4/b");
  });

  test("[H-redirect] five are followed, the sixth is an error", async () => {
    let seen = 0;
    const server = await serve((request, response) => {
      seen++;
      const left = Number(request.url?.slice(1));
      if (left === 0) return void response.end("done");
      response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    expect((await (await tool({ url: `${server.url}/5` })).call()).metadata).toMatchObject({
      status_code: 200,
    });
    expect(seen).toBe(6);
    const error = await (await tool({ url: `${server.url}/6` })).fail();
    expect(error).toMatchObject({ code: "http_redirect", message: expect.stringContaining("5 redirects") });
  });

  test("[H-redirect] a redirect without a location is an answer like any other", async () => {
    const server = await serve((_, response) => response.writeHead(302).end("here"));
    expect((await (await tool({ url: server.url })).call()).metadata).toMatchObject({ status_code: 302 });
  });

  test.each(["file:///etc/passwd", "ftp://x/", "javascript:alert(1)", "http://["])(
    "[H-redirect] %s is refused",
    async (location) => {
      const server = await redirecting(302, () => location);
      expect(await (await tool({ url: `${server.url}/go` })).fail()).toMatchObject({ code: "http_redirect" });
    },
  );
});

describe("to another origin", () => {
  test("[H-redirect] no credential goes along: no header but harmless ones", async () => {
    const other = await serve(echo);
    const server = await redirecting(302, () => `${other.url}/there`);
    const headers = {
      Cookie: "c=1",
      "X-Api-Key": "{{env.K}}",
      "X-Custom": "1",
      Host: "api.example.com",
      "Accept-Language": "de",
    };
    const made = await tool({
      url: `${server.url}/go`,
      headers,
      auth: { type: "bearer", token: "{{env.K}}" },
    });
    const seen = echoed(await made.call({ env: { K: "s3cret" } })).headers;
    expect(seen).toMatchObject({
      "accept-language": "de",
      "user-agent": "mci-ts",
      host: `127.0.0.1:${other.port}`,
    });
    expect(Object.keys(seen).sort()).toEqual([
      "accept",
      "accept-encoding",
      "accept-language",
      "connection",
      "host",
      "user-agent",
    ]);
  });

  test("[H-redirect] nor an API key header, nor credentials written into the location", async () => {
    const other = await serve(echo);
    const server = await redirecting(307, () => `http://user:pw@127.0.0.1:${other.port}/there`);
    const auth = { type: "apiKey", in: "header", name: "Accept-Key", value: "{{env.K}}" } as const;
    const made = await tool({ url: `${server.url}/go`, auth });
    const seen = echoed(await made.call({ env: { K: "s3cret" } })).headers;
    expect(seen).not.toHaveProperty("accept-key");
    expect(seen).not.toHaveProperty("authorization");
  });

  test("[H-redirect] an API key in the query is removed from the location", async () => {
    const other = await serve(echo);
    const server = await redirecting(302, () => `${other.url}/there?a=1&key=s3c%20ret&key=other`);
    const auth = { type: "apiKey", in: "query", name: "key", value: "{{env.K}}" } as const;
    const made = await tool({ url: `${server.url}/go`, auth });
    expect(echoed(await made.call({ env: { K: "s3c ret" } })).url).toBe("/there?a=1&key=other");
  });

  test("[H-redirect] so is any other value of env; the rest of the query stays", async () => {
    const other = await serve(echo);
    const server = await redirecting(302, () => `${other.url}/there?q=x&api_key=s3cret&n=5`);
    const made = await tool({
      url: `${server.url}/go`,
      params: { q: "{{props.q}}", api_key: "{{env.K}}", n: "{{env.N}}" },
    });
    expect(echoed(await made.call({ props: { q: "x" }, env: { K: "s3cret", N: 5 } })).url).toBe("/there?q=x");
  });

  test("[H-redirect] also where it is part of a longer value, in the query or in a harmless header", async () => {
    const other = await serve(echo);
    const server = await redirecting(
      302,
      () => `${other.url}/x?a=pre-s3cr3t-post&b=%7B%22k%22:%22s3cr3t%22%7D&c=3`,
    );
    const headers = { "User-Agent": "robot/{{env.KEY}}", Accept: "text/plain" };
    const made = await tool({ url: `${server.url}/go?key=pre-{{env.KEY}}-post`, headers });
    const seen = echoed(await made.call({ env: { KEY: "s3cr3t" } }));
    expect(seen.url).toBe("/x?c=3");
    expect(seen.headers).toMatchObject({ accept: "text/plain" });
    expect(JSON.stringify(seen)).not.toContain("s3cr3t");
  });

  test("[H-redirect] the address itself is not a secret: a page may get the address to return to", async () => {
    const other = await serve(echo);
    const server = await redirecting(302, (self) => `${other.url}/login?back=${self}/page`);
    const made = await tool({ url: "{{env.BASE}}go" });
    const seen = echoed(await made.call({ env: { BASE: `${server.url}/` } }));
    expect(seen.url).toBe(`/login?back=${server.url}/page`);
  });

  test("[H-redirect] credentials do not come back on the way home", async () => {
    let home = "";
    const other = await serve((_, response) => response.writeHead(302, { location: `${home}/there` }).end());
    const server = await redirecting(302, () => `${other.url}/`);
    home = server.url;
    const made = await tool({
      url: `${server.url}/go`,
      auth: { type: "bearer", token: "t" },
      allowPrivateNetwork: true,
    });
    expect(echoed(await made.call()).headers).not.toHaveProperty("authorization");
  });

  test("[H-redirect] a body goes along, unless it holds env values", async () => {
    const other = await serve(echo);
    const server = await redirecting(308, () => `${other.url}/there`);
    const made = await tool({
      method: "POST",
      url: `${server.url}/go`,
      body: { type: "json", content: { a: "{{props.a}}" } },
    });
    expect(echoed(await made.call({ props: { a: "1" } })).body).toBe('{"a":"1"}');
    const secret = await tool({
      method: "POST",
      url: `${server.url}/go`,
      body: { type: "json", content: { key: "{{env.K}}" } },
    });
    expect(await secret.fail({ env: { K: "s3cret" } })).toMatchObject({ code: "http_redirect" });
  });
});
