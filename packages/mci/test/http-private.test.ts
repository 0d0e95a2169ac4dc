import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import { listen, serve } from "../../../test/servers.ts";
import type { Lookup } from "../src/execute/http/agent.ts";
import { openSession, textOf, tool } from "./http/harness.ts";

/** Names that only a test knows. Each lookup of a name takes its next address, and then stays at the last. */
function names(addresses: Record<string, string[]>): Lookup & { count: number } {
  const lookup = (host: string, _: unknown, callback: Parameters<Lookup>[2]) => {
    lookup.count++;
    const [address, ...others] = addresses[host] ?? [];
    if (address === undefined)
      return callback(Object.assign(new Error("unknown"), { code: "ENOTFOUND" }), []);
    if (others.length > 0) addresses[host] = others;
    callback(null, [{ address, family: address.includes(":") ? 6 : 4 }]);
  };
  lookup.count = 0;
  return lookup;
}

/** Nothing public can be reached in a test, so the loopback address plays that part. */
const isPublic = (address: string) => address === "127.0.0.1";

describe("a host from the caller", () => {
  test.each(["127.0.0.1", "0x7f.1", "2130706433", "0.0.0.0", "localhost"])(
    "[H-private] %s is refused before anything is sent, and not tried again",
    async (host) => {
      let requests = 0;
      const server = await serve((_, response) => response.end(String(requests++)));
      const retries = { attempts: 3, backoff_ms: 1 };
      const made = await tool({ url: `http://{{props.host}}:${server.port}/x?k=1`, retries });
      const error = await made.fail({ props: { host } });
      expect(error.code).toBe("private_network");
      expect(error.message).toContain("allowPrivateNetwork: true");
      expect(error.metadata).toMatchObject({ attempts: 1 });
      expect(requests).toBe(0);
    },
  );

  test.each([
    "http://[::1]:1/",
    "http://[::ffff:127.0.0.1]:1/",
    "http://169.254.169.254/latest/meta-data",
    "http://10.0.0.1/",
    "https://192.168.0.1/",
  ])("[H-private] %s as a whole URL is refused", async (url) => {
    const error = await (await tool({ url: "{{props.url}}" })).fail({ props: { url } });
    expect(error.code).toBe("private_network");
  });

  test("[H-private] a name is judged by the address it leads to", async () => {
    const session = openSession({ lookup: names({ "innocent.example": ["fd00::1"] }) });
    const error = await (await tool({ url: "https://{{props.h}}/a" }, session)).fail({
      props: { h: "innocent.example" },
    });
    expect(error.code).toBe("private_network");
    expect(error.message).toContain("https://innocent.example/a");
  });

  test("[H-private] what was looked up is what is connected to: a name that changes its mind gains nothing", async () => {
    let requests = 0;
    const server = await serve((_, response) =>
      response.setHeader("connection", "close").end(String(++requests)),
    );
    const lookup = names({ "rebind.example": ["127.0.0.1", "127.0.0.2"] });
    const session = openSession({ lookup, isPublic });
    const made = await tool({ url: `http://{{props.h}}:${server.port}/` }, session);
    expect(textOf(await made.call({ props: { h: "rebind.example" } }))).toBe("1");
    expect(lookup.count).toBe(1);
    expect(await made.fail({ props: { h: "rebind.example" } })).toMatchObject({ code: "private_network" });
    expect(lookup.count).toBe(2);
    expect(requests).toBe(1);
  });

  test("[H-private] allowPrivateNetwork opens it", async () => {
    const server = await serve((_, response) => response.end("in"));
    const made = await tool({ url: `http://{{props.h}}:${server.port}/`, allowPrivateNetwork: true });
    expect(textOf(await made.call({ props: { h: "127.0.0.1" } }))).toBe("in");
  });

  test("[H-private] a connection that the author's own host opened is not lent out", async () => {
    const server = await serve((_, response) => response.end("in"));
    const own = await tool({ url: `${server.url}/` });
    await own.call();
    const guarded = await tool({ url: `http://{{props.h}}:${server.port}/` }, own.session);
    expect(await guarded.fail({ props: { h: "127.0.0.1" } })).toMatchObject({ code: "private_network" });
  });

  test("[H-private] the host of a token endpoint is held to the same", async () => {
    const tokenUrl = "http://{{props.h}}/token";
    const auth = {
      type: "oauth2",
      flow: "clientCredentials",
      tokenUrl,
      clientId: "i",
      clientSecret: "s",
    } as const;
    const made = await tool({ url: "http://127.0.0.1:9/", auth });
    expect(await made.fail({ props: { h: "127.0.0.1" } })).toMatchObject({ code: "private_network" });
  });
});

describe("redirects", () => {
  /** The first address that is judged is private, as an author's own host may be; 127.0.0.1 is public afterwards. */
  const privateAtFirst = () => {
    let judged = 0;
    return (address: string) => judged++ > 0 && isPublic(address);
  };
  const lookup = () => names({ "public.example": ["127.0.0.1"], "inside.example": ["127.0.0.2"] });

  test("[H-redirect] a public host of the author's may not lead to a private one", async () => {
    const server = await serve((_, response) =>
      response.writeHead(302, { location: "http://inside.example/?k=1" }).end(),
    );
    const made = await tool(
      { url: `http://public.example:${server.port}/` },
      openSession({ lookup: lookup(), isPublic }),
    );
    const error = await made.fail();
    expect(error.code).toBe("http_redirect");
    expect(error.message).toContain("http://inside.example/");
    expect(error.message).not.toContain("k=1");
  });

  test("[H-redirect] unless the tool allows it", async () => {
    const inside = await serve((_, response) => response.end("in"));
    const location = `http://inside.example:${inside.port}/`;
    const server = await serve((_, response) => response.writeHead(302, { location }).end());
    const found = names({ "public.example": ["127.0.0.1"], "inside.example": ["127.0.0.1"] });
    const session = openSession({ lookup: found, isPublic: () => false });
    const made = await tool(
      { url: `http://public.example:${server.port}/`, allowPrivateNetwork: true },
      session,
    );
    expect(textOf(await made.call())).toBe("in");
  });

  test("[H-redirect] a private host of the author's may lead to its neighbour", async () => {
    const neighbour = await serve((_, response) => response.end("the neighbour"));
    const server = await serve((_, response) =>
      response.writeHead(302, { location: `${neighbour.url}/` }).end(),
    );
    expect(textOf(await (await tool({ url: server.url })).call())).toBe("the neighbour");
  });

  test("[H-redirect] but the server it leads to may not lead back inside", async () => {
    const away = await serve((_, response) =>
      response.writeHead(302, { location: "http://inside.example/" }).end(),
    );
    const location = `http://public.example:${away.port}/`;
    const server = await serve((_, response) => response.writeHead(302, { location }).end());
    const found = names({
      "home.example": ["127.0.0.1"],
      "public.example": ["127.0.0.1"],
      "inside.example": ["127.0.0.2"],
    });
    const made = await tool(
      { url: `http://home.example:${server.port}/` },
      openSession({ lookup: found, isPublic: privateAtFirst() }),
    );
    const error = await made.fail();
    expect(error).toMatchObject({
      code: "http_redirect",
      message: expect.stringContaining("http://inside.example/"),
    });
  });

  // macOS has only one loopback address.
  test.skipIf(process.platform === "darwin")(
    "[H-redirect] nor to another path of the author's own private host",
    async () => {
      let back = "/admin";
      const away = await serve((_, response) => response.writeHead(302, { location: home + back }).end());
      const paths: string[] = [];
      const server = createServer((request, response) => {
        paths.push(request.url!);
        const location = `http://public.example:${away.port}/`;
        if (paths.length === 1) response.writeHead(302, { location }).end();
        else response.end("done");
      });
      const { port } = await listen(server, undefined, "127.0.0.2");
      const home = `http://home.example:${port}`;
      const found = () => names({ "home.example": ["127.0.0.2"], "public.example": ["127.0.0.1"] });
      const made = () => tool({ url: `${home}/start` }, openSession({ lookup: found(), isPublic }));
      expect(await (await made()).fail()).toMatchObject({ code: "http_redirect" });
      expect(paths).toEqual(["/start"]);
      // Back to the author's own request is fine.
      paths.length = 0;
      back = "/start";
      expect(textOf(await (await made()).call())).toBe("done");
    },
  );

  test("[H-redirect] whether the author's host is private is not looked up again: the connection counts", async () => {
    const server = await serve((_, response) =>
      response.writeHead(302, { location: "http://inside.example/" }).end(),
    );
    const made = await tool(
      { url: `http://evil.example:${server.port}/` },
      openSession({
        lookup: names({ "evil.example": ["127.0.0.1", "127.0.0.2"], "inside.example": ["127.0.0.2"] }),
        isPublic,
      }),
    );
    expect(await made.fail()).toMatchObject({ code: "http_redirect" });
  });

  test("[H-redirect] an env value that is the name of a parameter stays behind", async () => {
    const seen: string[] = [];
    const other = await serve((request, response) => {
      seen.push(request.url!);
      response.end("ok");
    });
    const server = await serve((request, response) =>
      response.writeHead(302, { location: `${other.url}/?${request.url!.split("?")[1]}` }).end(),
    );
    const made = await tool({ url: `${server.url}/?{{env.KEY}}=1&x=2`, allowPrivateNetwork: true });
    await made.call({ env: { KEY: "s3cr3t-name" } });
    expect(seen).toEqual(["/?x=2"]);
  });

  test("[H-redirect] a host from the caller is public at every hop", async () => {
    const server = await serve((_, response) =>
      response.writeHead(302, { location: "http://inside.example/" }).end(),
    );
    const session = openSession({ lookup: lookup(), isPublic });
    const made = await tool({ url: `http://{{props.h}}:${server.port}/` }, session);
    expect(await made.fail({ props: { h: "public.example" } })).toMatchObject({ code: "http_redirect" });
  });
});
