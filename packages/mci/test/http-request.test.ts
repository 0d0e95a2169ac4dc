import { describe, expect, test } from "vitest";
import { echo, serve } from "../../../test/servers.ts";
import type { Body } from "../src/schema/body.ts";
import { type Execution, echoed, tool } from "./http/harness.ts";

/** Sends one request to a server that tells what it received. */
async function sent(
  execution: Partial<Execution>,
  options: Parameters<Awaited<ReturnType<typeof tool>>["call"]>[0] = {},
) {
  const server = await serve(echo);
  const made = await tool({ url: `${server.url}/`, ...execution });
  return echoed(await made.call(options));
}

describe("methods", () => {
  test.each(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("[H-method] %s is sent", async (method) => {
    expect((await sent({ method })).method).toBe(method);
  });

  test("[H-method] HEAD gives an empty text and the status", async () => {
    const server = await serve(echo);
    const outcome = await (await tool({ method: "HEAD", url: server.url })).call();
    expect(outcome.content).toEqual([{ type: "text", text: "" }]);
    expect(outcome.metadata).toMatchObject({ status_code: 200, attempts: 1 });
  });

  test("[H-method] the method may be a template, in any case of letters", async () => {
    expect((await sent({ method: "{{props.verb}}" }, { props: { verb: "patch" } })).method).toBe("PATCH");
  });

  test("[H-method] a method there is not is refused, naming those there are", async () => {
    const made = await tool({ method: "{{props.verb}}", url: "http://127.0.0.1:9/" });
    const error = await made.fail({ props: { verb: "BREW" } });
    expect(error.code).toBe("invalid_config");
    expect(error.message).toContain("GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS");
  });
});

describe("query", () => {
  const cases: [
    name: string,
    params: Record<string, unknown>,
    props: Record<string, unknown>,
    query: string,
  ][] = [
    ["scalars", { s: "a b", n: 1.5, t: true, f: false }, {}, "s=a%20b&n=1.5&t=true&f=false"],
    ["arrays repeat the name", { tag: ["x", "y"] }, {}, "tag=x&tag=y"],
    ["null is left out", { a: null, b: 1, c: [null, 2] }, {}, "b=1&c=2"],
    ["objects are JSON", { o: { k: [1, "ä"] } }, {}, "o=%7B%22k%22%3A%5B1%2C%22%C3%A4%22%5D%7D"],
    ["templates at any depth", { q: "{{props.q}}", l: ["{{props.q}}!"] }, { q: "1&2" }, "q=1%262&l=1%262!"],
    ["native values", { l: "{!!props.l!!}", b: "{!!props.b!!}" }, { l: [1, 2], b: true }, "l=1&l=2&b=true"],
    ["names are encoded", { "a b&": "c" }, {}, "a%20b%26=c"],
    ["an empty string stays", { a: "" }, {}, "a="],
    ["half a surrogate pair does no harm", { a: "\ud800" }, {}, "a=%EF%BF%BD"],
  ];
  test.each(cases)("[H-params] %s", async (_name, params, props, query) => {
    expect((await sent({ params }, { props })).url).toBe(`/?${query}`);
  });

  test("[H-params] they join the query that the URL already has", async () => {
    const server = await serve(echo);
    const made = await tool({ url: `${server.url}/x?a=1#part`, params: { b: 2 } });
    expect(echoed(await made.call()).url).toBe("/x?a=1&b=2");
  });

  test("[H-params] an optional property that was not given is left out", async () => {
    expect((await sent({ params: { a: "{{props.a}}", b: "x" } }, { absent: ["a"] })).url).toBe("/?b=x");
  });
});

describe("bodies", () => {
  const body = (type: "json" | "form" | "raw", content: unknown) => ({
    method: "POST",
    body: { type, content } as Body,
  });

  test("[H-body] an object is sent as JSON, typed by default even without other headers", async () => {
    const echo = await sent(body("json", { a: "{{props.a}}", n: "{!!props.n!!}" }), {
      props: { a: "ä", n: 3 },
    });
    expect(echo.body).toBe('{"a":"ä","n":3}');
    expect(echo.headers["content-type"]).toBe("application/json");
  });

  test("[H-body] an array is a body", async () => {
    expect((await sent(body("json", [1, "{{props.a}}"]), { props: { a: "x" } })).body).toBe('[1,"x"]');
  });

  test("[H-body] a whole body may be one native value", async () => {
    expect((await sent(body("json", "{!!props.o!!}"), { props: { o: { a: [1] } } })).body).toBe('{"a":[1]}');
  });

  test("[H-body] any other string is sent as a JSON string", async () => {
    expect((await sent(body("json", "hi {{props.a}}"), { props: { a: '"x"' } })).body).toBe('"hi \\"x\\""');
  });

  test("[H-body] an optional property as whole body, not given, means no body", async () => {
    const echo = await sent(body("json", "{!!props.o!!}"), { absent: ["o"] });
    expect(echo.body).toBe("");
    expect(echo.headers["content-length"]).toBe("0");
  });

  test("[H-body] a form repeats arrays and leaves null out", async () => {
    const echo = await sent(body("form", { a: "{{props.a}}", l: [1, 2], n: null }), {
      props: { a: "x&y=z" },
    });
    expect(echo.body).toBe("a=x%26y%3Dz&l=1&l=2");
    expect(echo.headers["content-type"]).toBe("application/x-www-form-urlencoded");
  });

  test("[H-body] a form written as text keeps a caller's value one value", async () => {
    const echo = await sent(body("form", "a={{props.a}}&b=2"), { props: { a: "1&admin=true" } });
    expect(new URLSearchParams(echo.body).get("a")).toBe("1&admin=true");
    expect(new URLSearchParams(echo.body).has("admin")).toBe(false);
  });

  test("[H-body] raw text goes as it is", async () => {
    const echo = await sent(body("raw", "<a>{{props.a}}</a>"), { props: { a: "ü&" } });
    expect(echo.body).toBe("<a>ü&</a>");
    expect(echo.headers["content-type"]).toBe("text/plain");
  });

  test.each(["Content-Type", "content-type", "CONTENT-TYPE"])(
    "[H-body] a header %s wins over the default",
    async (name) => {
      const echo = await sent({ ...body("json", { a: 1 }), headers: { [name]: "application/vnd.api+json" } });
      expect(echo.headers["content-type"]).toBe("application/vnd.api+json");
    },
  );

  test("[H-body] a GET with a body sends it", async () => {
    expect((await sent({ body: { type: "json", content: { a: 1 } } })).body).toBe('{"a":1}');
  });
});

describe("headers", () => {
  test("[H-headers] an absent optional one may have any name", async () => {
    const headers = { constructor: "{{props.b}}", valueOf: "{{props.b}}" };
    const echo = await sent({ headers }, { absent: ["b"] });
    expect(Object.keys(echo.headers)).not.toContain("constructor");
  });

  test("[H-headers] values are rendered, absent optional ones left out", async () => {
    const headers = { "X-A": "{{props.a}}", "X-B": "{{props.b}}", "X-C": "c" };
    const echo = await sent({ headers }, { props: { a: "1" }, absent: ["b"] });
    expect(echo.headers).toMatchObject({ "x-a": "1", "x-c": "c" });
    expect(echo.headers).not.toHaveProperty("x-b");
  });

  test("[H-headers] the library says who it is and what it can read, unless the author does", async () => {
    expect((await sent({})).headers).toMatchObject({
      "user-agent": "mci-ts",
      accept: "*/*",
      "accept-encoding": "gzip, deflate, br, zstd",
    });
    expect((await sent({ headers: { "USER-agent": "mine", Accept: "text/csv" } })).headers).toMatchObject({
      "user-agent": "mine",
      accept: "text/csv",
    });
  });

  test("[H-headers] what a file says about framing is left out", async () => {
    const headers = {
      "Content-Length": "99",
      Connection: "close",
      "Transfer-Encoding": "chunked",
      Expect: "100-continue",
    };
    const echo = await sent({ method: "POST", headers, body: { type: "raw", content: "four" } });
    expect(echo.headers["content-length"]).toBe("4");
    expect(echo.headers).not.toHaveProperty("expect");
  });

  test.each(["a\r\nX-Evil: 1", "a\nb", "a\0b", "a\x7f"])(
    "[H-crlf] a value with control characters is refused, naming the header: %j",
    async (value) => {
      const made = await tool({ url: "http://127.0.0.1:9/", headers: { "X-Name": "{{props.v}}" } });
      const error = await made.fail({ props: { v: value } });
      expect(error.code).toBe("header_refused");
      expect(error.message).toContain("'X-Name'");
      expect(error.message).not.toContain("Evil");
    },
  );

  test("[H-crlf] a name that no header can have is refused", async () => {
    const error = await (await tool({ url: "http://127.0.0.1:9/", headers: { "X Y": "1" } })).fail();
    expect(error).toMatchObject({ code: "header_refused", message: expect.stringContaining('"X Y"') });
  });

  test("[H-headers] text beyond ASCII is sent as UTF-8", async () => {
    const echo = await sent({ headers: { "X-City": "{{props.city}}" } }, { props: { city: "Łódź é" } });
    expect(Buffer.from(echo.headers["x-city"]!, "latin1").toString("utf8")).toBe("Łódź é");
  });
});

describe("auth", () => {
  test("[H-auth] an API key goes into a header, over a custom one of the same name", async () => {
    const auth = { type: "apiKey", in: "header", name: "X-Api-Key", value: "{{env.KEY}}" } as const;
    const echo = await sent({ auth, headers: { "x-api-key": "old" } }, { env: { KEY: "k1" } });
    expect(echo.headers["x-api-key"]).toBe("k1");
  });

  test("[H-auth] an API key goes into the query, after the params, and never into the tool", async () => {
    const server = await serve(echo);
    const execution: Execution = {
      url: `${server.url}/x?a=1`,
      params: { b: "{{props.b}}" },
      auth: { type: "apiKey", in: "query", name: "api key", value: "{{env.KEY}}" },
    };
    const before = structuredClone(execution);
    const made = await tool(execution);
    expect(echoed(await made.call({ props: { b: "1" }, env: { KEY: "k&1" } })).url).toBe(
      "/x?a=1&b=1&api%20key=k%261",
    );
    expect(echoed(await made.call({ props: { b: "2" }, env: { KEY: "k2" } })).url).toBe(
      "/x?a=1&b=2&api%20key=k2",
    );
    expect(execution).toEqual(before);
  });

  test("[H-auth] bearer", async () => {
    const auth = { type: "bearer", token: "{{env.T}}" } as const;
    const echo = await sent({ auth, headers: { authorization: "no" } }, { env: { T: "t0k" } });
    expect(echo.headers["authorization"]).toBe("Bearer t0k");
  });

  test("[H-auth] basic is UTF-8", async () => {
    const auth = { type: "basic", username: "jörg", password: "{{env.P}}" } as const;
    const echo = await sent({ auth }, { env: { P: "pä:ss" } });
    expect(echo.headers["authorization"]).toBe(
      `Basic ${Buffer.from("jörg:pä:ss", "utf8").toString("base64")}`,
    );
  });

  test("[H-auth] a user and password in the author's URL are sent as basic", async () => {
    const server = await serve(echo);
    const made = await tool({ url: `http://{{env.U}}:p%40ss@127.0.0.1:${server.port}/` });
    const { headers } = echoed(await made.call({ env: { U: "me" } }));
    expect(headers["authorization"]).toBe(`Basic ${Buffer.from("me:p@ss").toString("base64")}`);
  });

  test("[H-auth] a key from an optional property that was not given is not sent", async () => {
    const echo = await sent({ auth: { type: "bearer", token: "{!!props.t!!}" } }, { absent: ["t"] });
    expect(echo.headers).not.toHaveProperty("authorization");
  });
});
