import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { readConfig } from "../config/config.ts";
import { createGuard } from "./guard.ts";

const TOKEN = "0123456789abcdef";
const guard = (env: Record<string, string> = {}) => createGuard(readConfig(env).http);
const wide = { HOST: "0.0.0.0", MCI_TOKEN: TOKEN };

describe("the Host header [H-host]", () => {
  it.each<[string | undefined, Record<string, string>, boolean]>([
    ["localhost:8338", {}, true],
    ["127.0.0.1:8338", {}, true],
    ["[::1]:8338", {}, true],
    ["LOCALHOST", {}, true],
    ["evil.example:8338", {}, false],
    ["localhost.evil.example", {}, false],
    ["192.168.0.7", {}, false],
    ["user@localhost", {}, false],
    ["localhost/path", {}, false],
    ["", {}, false],
    [undefined, {}, false],
    ["council.internal", { MCI_ALLOWED_HOSTS: "council.internal" }, true],
    ["192.168.0.7:8338", wide, true],
    [hostname(), wide, true],
    ["evil.example", wide, false],
  ])("%s with %o is served: %s", (header, env, served) => {
    const check = () => guard(env).host(header);
    if (served) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: "forbidden_host", status: 403 }));
  });
});

describe("the Origin header [H-origin]", () => {
  it.each<[string | undefined, string, Record<string, string>, boolean | "refused"]>([
    [undefined, "localhost:8338", {}, false],
    ["http://localhost:8338", "localhost:8338", {}, false],
    ["http://localhost:3000", "localhost:8338", {}, "refused"],
    ["https://evil.example", "localhost:8338", {}, "refused"],
    ["null", "localhost:8338", {}, "refused"],
    ["https://app.example", "localhost:8338", { MCI_ALLOWED_ORIGINS: "https://app.example" }, true],
    ["https://app.example.evil", "localhost:8338", { MCI_ALLOWED_ORIGINS: "https://app.example" }, "refused"],
  ])("%s at %s with %o needs CORS headers: %s", (origin, host, env, expected) => {
    const check = () => guard(env).origin(origin, host);
    if (expected === "refused") expect(check).toThrow(expect.objectContaining({ code: "forbidden_origin" }));
    else expect(check()).toBe(expected);
  });
});

describe("the token [H-token]", () => {
  it("is not required when none is set", () => {
    expect(() => guard().token(undefined)).not.toThrow();
  });

  it.each([undefined, "", "Bearer", "Bearer wrong", `Basic ${TOKEN}`, `Bearer ${TOKEN}x`])(
    "is not satisfied by %s",
    (header) => {
      expect(() => guard(wide).token(header)).toThrow(
        expect.objectContaining({ code: "unauthorized", status: 401 }),
      );
    },
  );

  it("grants access", () => {
    expect(() => guard(wide).token(`Bearer ${TOKEN}`)).not.toThrow();
    expect(() => guard({ MCI_TOKEN: TOKEN }).token(`bearer ${TOKEN}`)).not.toThrow();
  });
});
