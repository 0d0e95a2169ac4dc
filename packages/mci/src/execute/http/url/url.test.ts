import { assert, constantFrom, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../../../../test/any-character.ts";
import { cpuMs } from "../../../../../../test/cpu-time.ts";
import { compile } from "../../../../test/http/harness.ts";
import { ToolError } from "../../../errors.ts";
import type { Scope } from "../../../template-api.ts";
import { compileUrl } from "./url.ts";

function render(url: string, props: Record<string, unknown> = {}, env: Record<string, unknown> = {}) {
  const scope: Scope = { props, env, absent: new Set(), onEnv: () => {} };
  return compileUrl(compile.text(url, []))(scope);
}

function address(url: string, props?: Record<string, unknown>, env?: Record<string, unknown>): string {
  const { origin, path } = render(url, props, env);
  return origin + path;
}

function refusal(url: string, props?: Record<string, unknown>, env?: Record<string, unknown>): string {
  try {
    return `not refused: ${address(url, props, env)}`;
  } catch (error) {
    if (error instanceof ToolError && error.code === "url_refused") return "url_refused";
    throw error;
  }
}

const API = "https://api.example.com";

describe("[H-url-env] a URL that an env variable spoils names it, not its value", () => {
  const message = (url: string, env: Record<string, unknown>, props = {}) => {
    try {
      return address(url, props, env);
    } catch (error) {
      return (error as Error).message;
    }
  };
  const ABSOLUTE =
    "The URL is not an absolute http:// or https:// address. Check the tool's url and the values in it.";

  test.each<[string, Record<string, unknown>, string]>([
    ["{{env.BASE}}/x", { BASE: "" }, "The URL cannot be used: env.BASE is set, but empty."],
    ["https://{{env.HOST}}/x", { HOST: "" }, "The URL cannot be used: env.HOST is set, but empty."],
    ["https://{{ env['HOST'] }}/x", { HOST: "" }, "The URL cannot be used: env.HOST is set, but empty."],
    [
      "{{env.SCHEME}}://{{env.HOST}}/x",
      { SCHEME: "", HOST: "" },
      "The URL cannot be used: env.SCHEME and env.HOST are set, but empty.",
    ],
    [
      "{{env.BASE}}/x",
      { BASE: "s3cret.example.com" },
      "The URL begins with env.BASE, whose value must begin with http:// or https:// and a host.",
    ],
    ["api.example.com/{{env.PATH}}", { PATH: "a" }, ABSOLUTE],
    ["https://{{env.SUB}}api.example.com/x", { SUB: "" }, "https://api.example.com/x"],
    ["https://api.example.com/{{env.PATH}}", { PATH: "" }, "https://api.example.com/"],
  ])("%s with %j", (url, env, expected) => {
    expect(message(url, env)).toBe(expected);
  });

  test("also where a value of the caller comes before the address is complete", () => {
    const url = "{{env.BASE}}/{{props.path}}";
    expect(message(url, { BASE: "" }, { path: "x" })).toBe(
      "The URL cannot be used: env.BASE is set, but empty.",
    );
    expect(message(url, { BASE: "localhost" }, { path: "x" })).toBe(
      "The URL begins with env.BASE, whose value must begin with http:// or https:// and a host.",
    );
  });

  test("what a value of the caller spoils is not blamed on it", () => {
    expect(message("https://{{props.host}}/{{env.PATH}}", { PATH: "" }, { host: "a/b" })).toContain(
      "A value in the host of the URL",
    );
  });
});

describe("values in the path", () => {
  const cases: [value: unknown, path: string][] = [
    ["plain", "plain"],
    [42, "42"],
    [true, "true"],
    ["a b", "a%20b"],
    ["a/b", "a%2Fb"],
    ["a\\b", "a%5Cb"],
    ["a?b=1", "a%3Fb%3D1"],
    ["a#b", "a%23b"],
    ["a&b", "a%26b"],
    ["100%", "100%25"],
    ["%41", "%2541"],
    ["ünï", "%C3%BCn%C3%AF"],
    ["日本", "%E6%97%A5%E6%9C%AC"],
    ["\ud800", "%EF%BF%BD"],
    ["a\r\nb", "a%0D%0Ab"],
    ["@evil.com", "%40evil.com"],
    ["//evil.com", "%2F%2Fevil.com"],
    ["http://evil.com", "http%3A%2F%2Fevil.com"],
    ["a..b", "a..b"],
    ["...", "..."],
    [".hidden", ".hidden"],
    ["", ""],
  ];
  test.each(cases)("[H-url] %j stays one segment", (value, path) => {
    expect(address(`${API}/items/{{props.id}}/x`, { id: value })).toBe(`${API}/items/${path}/x`);
  });

  // biome-ignore format: a table
  const climbing = [
    "..", ".", "%2e%2e", "%2E%2E", ".%2e", "%2e.", "%2e", "%252e%252e", "%25252e.", "%%32%65%%32%65",
    "../x", "x/..", "a/../../b", "..\\x", "..%2fx", "..%5cx", "%2e%2e%2f", "..;", "..;/x", "a/..;b/c",
    "%c0%ae%c0%ae", "%c0%ae%c0%ae%c0%afx", "%u002e%u002e",
    "..\0", "..\t", "\n..", ". .", "..%00", "..%09", "%20..", "．．", "‥", "․․", "a／．．", "..＼x", "%uff0e%uff0e", "%ef%bc%8e.",
    "..?", "..#", "..?a=1", "..%3f", "..%23x", "︰", "﹒﹒", "..﹨x", "a﹨..", "%ef%b8%b0", "%25252e%25252e", "%2525252e.", "%252525252e%2e", "..%25252fx",
    "%f0%80%80%ae.", "%25c0%25ae.", `%${"25".repeat(50)}2e%2e`,
  ];
  test.each(climbing)("[H-url] %j is refused", (value) => {
    expect(refusal(`${API}/items/{{props.id}}`, { id: value })).toBe("url_refused");
    expect(refusal(`${API}/items/{{props.id}}/x?q=1`, { id: value })).toBe("url_refused");
  });

  const joined: [url: string, props: Record<string, string>][] = [
    ["/a/.{{props.x}}/b", { x: "." }],
    ["/a/{{props.x}}./b", { x: "." }],
    ["/a/.{{props.x}}./b", { x: "" }],
    ["/a/{{props.x}}{{props.y}}/b", { x: ".", y: "." }],
    ["/a/%2e{{props.x}}", { x: "." }],
    ["/a/%{{props.x}}", { x: "2e%2e" }],
    ["/a/.\n{{props.x}}", { x: "." }],
    ["/a\\{{props.x}}\\b", { x: ".." }],
    ["/a/{{props.x}} ", { x: ".." }],
    ["/a/{{props.x}}?q=1", { x: ".." }],
    ["/a/{{props.x}}#f", { x: ".." }],
  ];
  test.each(joined)("[H-url] a value and its neighbours make no dot segment: %j", (url, props) => {
    expect(refusal(API + url, props)).toBe("url_refused");
  });

  test("[H-url] a very long value is checked quickly", () => {
    const long = "%25".repeat(50_000);
    const start = cpuMs();
    expect(address(`${API}/{{props.x}}`, { x: long })).toContain("%2525");
    expect(refusal(`${API}/{{props.x}}`, { x: `${"a/".repeat(50_000)}..` })).toBe("url_refused");
    expect(cpuMs() - start).toBeLessThan(1000);
  });

  test("the author's own dot segments and escapes stay theirs", () => {
    expect(address(`${API}/a/../b/%2Fc d/{{props.x}}`, { x: "1" })).toBe(`${API}/b/%2Fc%20d/1`);
  });
});

describe("values in query and fragment", () => {
  test.each([
    ["a&b=c", "a%26b%3Dc"],
    ["a+b", "a%2Bb"],
    ["a#b", "a%23b"],
    ["a b", "a%20b"],
    ["../..", "..%2F.."],
    ["?", "%3F"],
  ])("[H-url] %j stays one query value", (value, encoded) => {
    expect(address(`${API}/x?q={{props.q}}&z=1`, { q: value })).toBe(`${API}/x?q=${encoded}&z=1`);
  });

  test("[H-url] a value right after the host's question mark is query", () => {
    expect(address(`${API}?{{props.q}}`, { q: "@evil.com/" })).toBe(`${API}/?%40evil.com%2F`);
  });

  test("[H-url] a fragment is never sent", () => {
    expect(address(`${API}/x#{{props.q}}`, { q: "?a=1" })).toBe(`${API}/x`);
  });
});

describe("values in the host", () => {
  test.each([
    ["https://{{props.v}}.example.com/x", "eu-1", "https://eu-1.example.com/x"],
    ["https://{{props.v}}.example.com/x", "a.b", "https://a.b.example.com/x"],
    ["https://{{props.v}}/x", "example.org", "https://example.org/x"],
    ["https://{{props.v}}/x", "münchen.de", "https://xn--mnchen-3ya.de/x"],
    ["https://{{props.v}}:8443/x", "EXAMPLE.org", "https://example.org:8443/x"],
    ["https://{{props.v}}", "my_host", "https://my_host/"],
  ])("[H-url] %s with %j", (url, v, expected) => {
    const target = render(url, { v });
    expect(target.origin + target.path).toBe(expected);
    expect(target.callerHost).toBe(true);
  });

  // biome-ignore format: a table
  const evil = [
    "", ".", "evil.com/", "evil.com#", "evil.com?", "evil.com\\", "a@evil.com", "evil.com:80", "a b", "-a", "a-", "a..b", "a.",
    "evil.com%2f", "evil.com\n", "evil.com／", "a:b@c", "[::1]", "evil。com", "*", "\ud800",
  ];
  test.each(evil)("[H-url] %j is refused", (v) => {
    expect(refusal("https://{{props.v}}.example.com/x", { v })).toBe("url_refused");
    expect(refusal("https://{{props.v}}/x", { v })).toBe("url_refused");
    expect(refusal("https://api{{props.v}}", { v })).toBe("url_refused");
  });

  test("[H-url] a value right after a host can continue its last name, but not put it below another domain", () => {
    expect(render("http://worker-{{props.v}}:8080/", { v: 3 }).origin).toBe("http://worker-3:8080");
    for (const url of [`${API}{{props.v}}`, `${API}{{props.v}}/x`, "https://api-{{props.v}}?q=1"]) {
      expect(refusal(url, { v: "x.evil.com" })).toBe("url_refused");
    }
    expect(refusal("{{env.BASE}}{{props.v}}", { v: "x.evil.com" }, { BASE: API })).toBe("url_refused");
  });

  test.each(["0x7f.1", "2130706433", "0177.1", "127.1"])(
    "[H-url] %j counts as the address that it is",
    (v) => {
      expect(render("http://{{props.v}}/", { v })).toMatchObject({ hostname: "127.0.0.1", callerHost: true });
    },
  );

  test("[H-url] a port is a number and nothing else", () => {
    expect(render("http://localhost:{{props.p}}/x", { p: 8080 })).toMatchObject({
      origin: "http://localhost:8080",
      callerHost: false,
    });
    for (const p of ["", "80@evil.com", "80/x", "x", "123456", "-1", "8 0"]) {
      expect(refusal("http://localhost:{{props.p}}/x", { p })).toBe("url_refused");
    }
    expect(refusal("http://localhost:{{props.p}}/x", { p: "70000" })).toBe("url_refused");
  });
});

test("[H-url] a part of an IPv6 address is part of a host", () => {
  expect(render("http://[fd00::{{props.n}}]/", { n: 7 })).toMatchObject({
    hostname: "[fd00::7]",
    callerHost: true,
  });
  expect(refusal("http://[fd00::{{props.n}}]/", { n: "1]@evil.com" })).toBe("url_refused");
  expect(render("http://[fd00::1]:{{props.p}}/", { p: 80 })).toMatchObject({ callerHost: false });
});

describe("values at the start of a URL", () => {
  test("[H-url] a whole URL may come from the caller, who then chose the host", () => {
    const target = render("{{props.url}}", { url: "https://example.org/a/../b?c=d#e" });
    expect(target).toMatchObject({ origin: "https://example.org", path: "/b?c=d", callerHost: true });
  });

  test("[H-url] so may a base URL, without query or fragment", () => {
    expect(
      render("{{props.base}}/v1/{{props.id}}", { base: "https://example.org/api", id: "a/b" }),
    ).toMatchObject({
      origin: "https://example.org",
      path: "/api/v1/a%2Fb",
      callerHost: true,
    });
    expect(refusal("{{props.base}}/v1", { base: "https://example.org/?x=" })).toBe("url_refused");
    expect(refusal("{{props.base}}/v1", { base: "https://example.org/#" })).toBe("url_refused");
  });

  // biome-ignore format: a table
  test.each([
    "file:///etc/passwd", "ftp://example.org/", "javascript:alert(1)", "data:text/plain,x", "//example.org/", "/x", "example.org",
    "", "https:example.org", "https:\\\\example.org", "https://user:pw@example.org/", "https://", "http//x",
  ])("[H-url] %j is refused", (url) => {
    expect(refusal("{{props.url}}", { url })).toBe("url_refused");
  });

  test("[H-url] a scheme may be http or https", () => {
    expect(render("{{props.s}}://api.example.com/x", { s: "http" })).toMatchObject({
      origin: "http://api.example.com",
      callerHost: false,
    });
    for (const s of ["file", "ftp", "https://evil.com/?", "http:", ""]) {
      expect(refusal("{{props.s}}://api.example.com/x", { s })).toBe("url_refused");
    }
    expect(address("http{{props.s}}://api.example.com/", { s: "s" })).toBe(`${API}/`);
    for (const start of ["http:", "http:/", "https:\\", "/", "//"]) {
      expect(refusal(`${start}{{props.host}}`, { host: "localhost" })).toBe("url_refused");
      expect(refusal(`${start}{{props.host}}/x`, { host: "localhost" })).toBe("url_refused");
    }
  });
});

describe("env values", () => {
  test("[H-url-env] env is the author's text: it may be a whole base URL", () => {
    const env = { BASE: "http://127.0.0.1:8080/api" };
    expect(render("{{env.BASE}}/x/{{props.id}}", { id: "1" }, env)).toMatchObject({
      origin: "http://127.0.0.1:8080",
      path: "/api/x/1",
      callerHost: false,
    });
  });

  test("[H-url-env] what is shown of a URL has no query, no password and no env value in its path", () => {
    expect(
      render("https://me:pw@api.example.com/bot{{env.T}}/x?k={{env.K}}", {}, { T: "s3cret", K: "k" })
        .displayUrl,
    ).toBe("https://api.example.com/bot***/x");
    expect(render("{{env.HOOK}}", {}, { HOOK: "https://hooks.example.com/T0/s3cret?x=1" }).displayUrl).toBe(
      "https://hooks.example.com/***",
    );
    expect(render("{{env.BASE}}x", {}, { BASE: "https://api.example.com/" }).displayUrl).toBe(
      "https://api.example.com/x",
    );
  });

  test("a user and password of the author are separated from the address", () => {
    expect(render("https://us%40er:p%25w@api.example.com/")).toMatchObject({
      origin: API,
      userinfo: "us@er:p%w",
    });
  });
});

describe("whatever the caller sends", () => {
  const anything = string({ unit: anyCharacter, maxLength: 40 });
  const attacks = string({ unit: constantFrom(...".%25eE/\\?#@:;&=+ a0-_\n"), maxLength: 8 });

  test("[H-url] a value in path and query arrives as it is, and changes nothing else", () => {
    const check = (value: string) => {
      let target: ReturnType<typeof render>;
      try {
        target = render(`${API}/a/{{props.v}}/b?c={{props.v}}&d=1`, { v: value });
      } catch (error) {
        expect(error).toMatchObject({ code: "url_refused" });
        return;
      }
      const url = new URL(target.origin + target.path);
      expect(url.origin).toBe(API);
      expect(url.pathname.split("/").map(decodeURIComponent)).toEqual(["", "a", value.toWellFormed(), "b"]);
      expect([...url.searchParams]).toEqual([
        ["c", value.toWellFormed()],
        ["d", "1"],
      ]);
    };
    assert(property(anything, check), { numRuns: 100 });
    assert(property(attacks, check), { numRuns: 250 });
  });

  test("[H-url] a value in the host stays below the author's domain", () => {
    const check = (value: string) => {
      try {
        const target = render("https://{{props.v}}.example.com/x", { v: value });
        expect(target.hostname).toMatch(/^[^/@:?#\\]+\.example\.com$/);
        expect(target.path).toBe("/x");
      } catch (error) {
        expect(error).toMatchObject({ code: "url_refused" });
      }
    };
    assert(property(anything, check), { numRuns: 100 });
    assert(property(attacks, check), { numRuns: 250 });
  });
});

test.each(["", "api.example.com", "ftp://x/", "http://", "http://a b/"])("%j is not a URL", (url) => {
  expect(refusal(url)).toBe("url_refused");
});
