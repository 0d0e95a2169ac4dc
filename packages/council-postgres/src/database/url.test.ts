import { expect, test } from "vitest";
import { parseDatabaseUrl } from "./url.ts";

test.each([
  ["sslmode=require", "verify-full"],
  ["sslmode=verify-ca", "verify-full"],
  ["sslmode=verify-full", "verify-full"],
  ["sslmode=disable", "disable"],
  // Its user asks for what libpq means by it.
  ["uselibpqcompat=true&sslmode=require", "require"],
  ["", null],
])(
  "[D-tls] %j: certificate and host name are checked as by %s, without a warning of the driver",
  (parameters, mode) => {
    expect(parseDatabaseUrl(`postgresql://a:b@db/council?${parameters}`).searchParams.get("sslmode")).toBe(
      mode,
    );
  },
);
