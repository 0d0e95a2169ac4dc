import { expect, test } from "vitest";
import { Secrets } from "./secrets.ts";

const SECRET = 's3cr&t "quoted"/ä';

function masked(value: unknown, ...secrets: unknown[]): unknown {
  const store = new Secrets();
  for (const secret of secrets) store.add(secret);
  return store.mask(value);
}

const forms: [string, string][] = [
  ["as it is", SECRET],
  ["percent-encoded", encodeURIComponent(SECRET)],
  ["percent-encoded in lower case", encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase())],
  ["form-encoded", new URLSearchParams({ x: SECRET }).toString().slice(2)],
  ["inside JSON", JSON.stringify(SECRET).slice(1, -1)],
  ["inside JSON inside JSON", JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)],
  ["inside JSON of Python", String.raw`s3cr&t \"quoted\"/\u00e4`],
  ["inside JSON of PHP", String.raw`s3cr&t \"quoted\"\/\u00e4`],
  ["inside JSON of Go", String.raw`s3cr\u0026t \"quoted\"/ä`],
  ["inside JSON of .NET", String.raw`s3cr\u0026t \u0022quoted\u0022/\u00E4`],
  ["inside JSON of PHP inside JSON", String.raw`s3cr&t \\\"quoted\\\"\\/\\u00e4`],
  ["in a page", "s3cr&amp;t &quot;quoted&quot;/ä"],
  ["in a header that was read as Latin-1", Buffer.from(SECRET).toString("latin1")],
  ["in the path of an address", new URL(`http://host/${SECRET}`).pathname.slice(1)],
  ["in other case, as in the name of a host", 'S3CR&T "Quoted"/ä'],
  ["in hexadecimal", Buffer.from(SECRET).toString("hex")],
];

test.each(forms)("a secret %s is masked [S-cut]", (_form, text) => {
  expect(masked(`before ${text} after`, SECRET)).toBe("before *** after");
});

test.each(["", "u", "us", "user:", "user:p"])(
  "a secret inside base64 of a longer text is masked (after %j)",
  (before) => {
    const header = Buffer.from(`${before}${SECRET}:tail`).toString("base64");
    const result = masked(`Basic ${header}`, SECRET) as string;
    expect(result).toContain("***");
    expect(Buffer.from(result.replace("Basic ", "").split("***")[0]!, "base64").toString()).not.toContain(
      "s3cr",
    );
  },
);

test("strings at any depth and keys are masked, numbers stay", () => {
  expect(masked({ a: ["x token-1 y", 7], "token-1": { b: "token-1" } }, "token-1")).toEqual({
    a: ["x *** y", 7],
    "***": { b: "***" },
  });
});

test("string leaves of structured env values are secrets too", () => {
  expect(masked("p=hunter22", { db: { password: "hunter22" } })).toBe("p=***");
});

test("of two overlapping secrets the longer goes first", () => {
  expect(masked("abc-def-ghi", "abc", "abc-def-ghi")).toBe("***");
});

test("very short values and plain words are left alone, so that messages stay readable", () => {
  expect(masked("is true, at 1 of 10", "true", "1", "10", "")).toBe("is true, at 1 of 10");
});

test("special characters of a secret are not a pattern", () => {
  expect(masked("axb a.b$^", "a.b$^")).toBe("axb ***");
});

test("a secret that was cut off at the end of a text is masked [S-cut]", () => {
  expect(masked("log: sk-live-4242", "sk-live-42424242")).toBe("log: ***");
  expect(masked("log: sk-live-4242…", "sk-live-42424242")).toBe("log: ***…");
  expect(masked("a task", "task-force-1")).toBe("a task");
});

test("a line of a longer secret is masked", () => {
  const key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG\nBKcwggSjAgEAAoIBAQC7\n-----END KEY-----\n";
  expect(masked("bad line: BKcwggSjAgEAAoIBAQC7", key)).toBe("bad line: ***");
});

test("secrets of any size and number are masked, and never repeated in a complaint about that", () => {
  const large = Array.from({ length: 10_000 }, (_, index) => (index * 7919).toString(36)).join("");
  const many = Array.from({ length: 2_000 }, (_, index) => `token-${index}-end`);
  expect(masked(`<${large}> <token-77-end> ${large.slice(0, 5000)}`, large, ...many)).toBe("<***> <***> ***");
});

test("an env value that holds itself is harmless", () => {
  const env: Record<string, unknown> = { token: "hunter22" };
  env.self = env;
  expect(masked("p=hunter22", env)).toBe("p=***");
});
