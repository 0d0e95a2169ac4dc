import { hostname } from "node:os";
import { describe, expect, test } from "vitest";
import { createHostGuard } from "./host.ts";

const machine = hostname() === "localhost" ? "other" : hostname();

describe("the Host header [G-host]", () => {
  test.each<[string, string | undefined, boolean]>([
    ["127.0.0.1", "localhost", true],
    ["127.0.0.1", "LOCALHOST", true],
    ["127.0.0.1", "localhost:8080", true],
    ["127.0.0.1", "127.0.0.1:8080", true],
    ["127.0.0.1", "[::1]:8080", true],
    ["127.0.0.1", "[0:0:0:0:0:0:0:1]", true],
    ["127.0.0.2", "127.0.0.2", true],
    ["localhost", "127.0.0.1", true],
    ["127.0.0.1", undefined, false],
    ["127.0.0.1", "", false],
    ["127.0.0.1", ":80", false],
    ["127.0.0.1", "10.0.0.1", false],
    ["127.0.0.1", "192.168.0.7", false],
    ["127.0.0.1", machine, false],
    ["127.0.0.1", "rebound.example", false],
    ["127.0.0.1", "localhost.evil.example", false],
    ["127.0.0.1", "localhost.", false],
    ["127.0.0.1", "user@localhost", false],
    ["127.0.0.1", "localhost/path", false],
    ["127.0.0.1", "localhost?x", false],
    ["127.0.0.1", "localhost#x", false],
    ["0.0.0.0", "10.0.0.1:80", true],
    ["0.0.0.0", "[2001:db8::1]", true],
    ["0.0.0.0", hostname(), true],
    ["0.0.0.0", "rebound.example", false],
    ["box.example", "box.example", true],
    ["2001:DB8::1", "[2001:db8::1]", true],
    ["2001:db8:0::1", "[2001:db8::1]", true],
  ])("a server on %s, called as %s, serves it: %s", (boundTo, header, isServed) => {
    const check = () => createHostGuard({ boundTo }).host(header);
    if (isServed) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: "forbidden_host", status: 403 }));
  });

  test("names can be allowed, and an error says how", () => {
    const options = {
      boundTo: "127.0.0.1",
      allowedHosts: ["Ours.Example"],
      advice: { host: (name: string) => `Allow ${name}` },
    };
    const guard = createHostGuard(options);
    expect(() => guard.host("ours.example:80")).not.toThrow();
    expect(() => guard.host("theirs.example")).toThrow(
      "Host 'theirs.example' is not served here. Allow theirs.example",
    );
  });
});

describe("the Origin header [G-origin]", () => {
  test.each<[string | undefined, string, boolean | "refused"]>([
    [undefined, "localhost:8338", false],
    ["http://localhost:8338", "localhost:8338", false],
    ["http://localhost:8338", "LOCALHOST:8338", false],
    ["http://localhost", "localhost:80", false],
    ["https://council.example", "council.example:443", false],
    ["http://localhost:3000", "localhost:8338", "refused"],
    ["http://127.0.0.1:8338", "localhost:8338", "refused"],
    ["http://10.0.0.1", "localhost", "refused"],
    ["https://evil.example", "localhost:8338", "refused"],
    ["null", "localhost:8338", "refused"],
    ["", "localhost:8338", "refused"],
    ["chrome-extension://localhost", "localhost", "refused"],
    ["https://app.example", "localhost:8338", true],
    ["https://app.example.evil", "localhost:8338", "refused"],
    ["http://app.example", "localhost:8338", "refused"],
  ])("%j at %s needs CORS headers: %s", (origin, host, expected) => {
    const guard = createHostGuard({ boundTo: "127.0.0.1", allowedOrigins: ["https://app.example"] });
    const check = () => guard.origin(origin, host);
    if (expected === "refused") expect(check).toThrow(expect.objectContaining({ code: "forbidden_origin" }));
    else expect(check()).toBe(expected);
  });
});
