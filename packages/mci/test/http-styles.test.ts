// biome-ignore-all lint/suspicious/noExplicitAny: styles of every kind are tried
import { describe, expect, test } from "vitest";
import { echo, serve } from "../../../test/servers.ts";
import { type CallOptions, type Execution, echoed, tool } from "./http/harness.ts";

/** Sends one request to a server that tells what it received. */
async function sent(execution: Partial<Execution>, options: CallOptions = {}, path = "/") {
  const server = await serve(echo);
  const made = await tool({ url: `${server.url}${path}`, ...execution });
  return echoed(await made.call(options));
}

const LIST = { props: { v: ["a b", "c,d"] } };
const OBJECT = { props: { v: { x: 1, y: "e&f" } } };

describe("query", () => {
  const url = async (style: any, options: CallOptions) =>
    (await sent({ params: { n: "{!!props.v!!}" }, paramStyles: { query: { n: style } } }, options)).url;

  test.each([
    ["form", LIST, "/?n=a%20b&n=c%2Cd"],
    [{ style: "form", explode: false }, LIST, "/?n=a%20b,c%2Cd"],
    ["spaceDelimited", LIST, "/?n=a%20b%20c%2Cd"],
    ["pipeDelimited", LIST, "/?n=a%20b%7Cc%2Cd"],
    ["tabDelimited", LIST, "/?n=a%20b%09c%2Cd"],
    ["deepObject", LIST, "/?n%5B%5D=a%20b&n%5B%5D=c%2Cd"],
    ["json", LIST, `/?n=${encodeURIComponent('["a b","c,d"]')}`],
    ["form", OBJECT, "/?x=1&y=e%26f"],
    [{ explode: false }, OBJECT, "/?n=x,1,y,e%26f"],
    ["deepObject", OBJECT, "/?n%5Bx%5D=1&n%5By%5D=e%26f"],
    [
      "deepObject",
      { props: { v: { a: { b: [{ c: 1 }] }, d: ["e"] } } },
      "/?n%5Ba%5D%5Bb%5D%5B0%5D%5Bc%5D=1&n%5Bd%5D%5B%5D=e",
    ],
    ["form", { props: { v: "one" } }, "/?n=one"],
    ["form", { props: { v: null } }, "/"],
    [{ style: "form", explode: false }, { props: { v: [] } }, "/"],
    [{ allowReserved: true }, { props: { v: "a/b?c=d&e#f" } }, "/?n=a/b?c=d%26e%23f"],
  ])("[H-styles] %j %#", async (style, options, expected) => {
    expect(await url(style, options)).toBe(expected);
  });

  test("[H-styles] keys of an exploded object cannot take the place of other parameters", async () => {
    const server = await serve(echo);
    const made = await tool({
      url: server.url,
      params: { role: "user", n: "{!!props.v!!}" },
      paramStyles: { query: { n: "form" } },
      auth: { type: "apiKey", in: "query", name: "key", value: "k" },
    });
    for (const name of ["role", "key"]) {
      const error = await made.fail({ props: { v: { [name]: "admin" } } });
      expect(error.message).toContain(`must not have the key '${name}'`);
    }
  });
});

describe("path", () => {
  const path = async (style: any, options: CallOptions) =>
    (
      await sent(
        { pathParams: { n: "{!!props.v!!}" }, paramStyles: { path: { n: style } } },
        options,
        "/p/{n}/q",
      )
    ).url;

  test.each([
    ["simple", LIST, "/p/a%20b,c%2Cd/q"],
    ["label", LIST, "/p/.a%20b,c%2Cd/q"],
    [{ style: "label", explode: true }, LIST, "/p/.a%20b.c%2Cd/q"],
    ["matrix", LIST, "/p/;n=a%20b,c%2Cd/q"],
    [{ style: "matrix", explode: true }, LIST, "/p/;n=a%20b;n=c%2Cd/q"],
    ["simple", OBJECT, "/p/x,1,y,e%26f/q"],
    [{ explode: true }, OBJECT, "/p/x=1,y=e%26f/q"],
    [{ style: "label", explode: true }, OBJECT, "/p/.x=1.y=e%26f/q"],
    ["matrix", OBJECT, "/p/;n=x,1,y,e%26f/q"],
    [{ style: "matrix", explode: true }, OBJECT, "/p/;x=1;y=e%26f/q"],
    ["simple", { props: { v: "a/b" } }, "/p/a%2Fb/q"],
  ])("[H-styles] %j %#", async (style, options, expected) => {
    expect(await path(style, options)).toBe(expected);
  });

  test.each([
    ["simple", ".."],
    ["simple", ["."]],
    ["label", "."],
    ["label", ""],
    ["simple", []],
    ["matrix", { "/../x": "" }],
  ])("[H-styles] %s refuses %j: it would lead elsewhere", async (style: any, v) => {
    const server = await serve(echo);
    const made = await tool({
      url: `${server.url}/p/{n}/q`,
      pathParams: { n: "{!!props.v!!}" },
      paramStyles: { path: { n: style } },
    });
    expect(["url_refused", "invalid_config"]).toContain((await made.fail({ props: { v } })).code);
  });
});

describe("headers and cookies", () => {
  test("[H-styles] a header may be a list or an object", async () => {
    const execution = (style: any): Partial<Execution> => ({
      headers: { "X-N": "{!!props.v!!}" },
      paramStyles: { header: { "X-N": style } },
    });
    expect((await sent(execution("simple"), LIST)).headers["x-n"]).toBe("a b,c%2Cd");
    expect((await sent(execution({ explode: true }), OBJECT)).headers["x-n"]).toBe("x=1,y=e&f");
    expect((await sent(execution("json"), OBJECT)).headers["x-n"]).toBe('{"x":1,"y":"e&f"}');
    expect((await sent(execution("simple"), { absent: ["v"] })).headers).not.toHaveProperty("x-n");
  });

  test("[H-cookies] they join the author's header; what the caller gives stays one value", async () => {
    const { headers } = await sent(
      { headers: { Cookie: "a=1; b=2" }, cookies: { b: "{{props.v}}", c: "{{env.C}}", d: "{{props.gone}}" } },
      { props: { v: "x; admin=1" }, env: { C: "abc==" }, absent: ["gone"] },
    );
    expect(headers.cookie).toBe("a=1; b=x%3B%20admin%3D1; c=abc==");
  });

  test("[H-cookies] lists and objects", async () => {
    const execution = (style: any): Partial<Execution> => ({
      cookies: { n: "{!!props.v!!}" },
      paramStyles: { cookie: { n: style } },
    });
    expect((await sent(execution({ style: "form", explode: false }), LIST)).headers.cookie).toBe(
      "n=a%20b,c%2Cd",
    );
    expect((await sent(execution("form"), LIST)).headers.cookie).toBe("n=a%20b; n=c%2Cd");
    expect((await sent(execution("cookie"), OBJECT)).headers.cookie).toBe("x=1; y=e%26f");
  });

  test("[H-cookies] an API key may be a cookie, and one that cannot be is refused", async () => {
    const server = await serve(echo);
    const auth = (value: string): Execution => ({
      url: server.url,
      cookies: { key: "old" },
      auth: { type: "apiKey", in: "cookie", name: "key", value },
    });
    expect(echoed(await (await tool(auth("{{env.K}}"))).call({ env: { K: "k1" } })).headers.cookie).toBe(
      "key=k1",
    );
    expect((await (await tool(auth("{{env.K}}"))).fail({ env: { K: "a; b=c" } })).code).toBe(
      "header_refused",
    );
  });
});

describe("forms", () => {
  test("[H-styles] fields have styles; * is for those that have none", async () => {
    const body = {
      type: "form" as const,
      content: { a: "{!!props.a!!}", b: "{!!props.b!!}", c: "{!!props.c!!}" },
      encoding: { b: { style: "form" as const, explode: false }, "*": "deepObject" as const },
    };
    const echo = await sent({ method: "POST", body }, { props: { a: { x: { y: 1 } }, b: [1, 2], c: "&" } });
    expect(echo.body).toBe("a%5Bx%5D%5By%5D=1&b=1,2&c=%26");
  });

  test.each(["json", "form", "multipart"] as const)("[H-omit-empty] %s", async (type) => {
    const body = { type, content: { a: "{!!props.a!!}" }, omitEmpty: true } as const;
    const none = await sent({ method: "POST", body }, { absent: ["a"] });
    expect(none.body).toBe("");
    expect(none.headers).not.toHaveProperty("content-type");
    expect((await sent({ method: "POST", body }, { props: { a: "x" } })).body).not.toBe("");
  });
});
