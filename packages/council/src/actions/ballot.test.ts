import { describe, expect, it } from "vitest";
import type { ActConfig } from "./act-config.ts";
import { actConfigSchema, matchesPattern } from "./act-config.ts";
import { type Ballot, ballotOf } from "./ballot.ts";
import { canonicalCommand } from "./command.ts";
import { actRules } from "./rules.ts";
import { closestToAll, similarity } from "./similarity.ts";
import { compileTools, readCall } from "./tools.ts";

const schema = {
  type: "object",
  properties: {
    path: { type: "string" },
    mode: { enum: ["read", "write"] },
    limit: { type: "integer", default: 10 },
    note: { type: ["string", "null"] },
    cmd: { type: "string" },
    code: { type: "string" },
    nested: { type: "object", properties: { deep: { type: "boolean", default: false } } },
    list: { type: "array", items: {} },
  },
};
const tools = compileTools([
  { name: "t", inputSchema: schema },
  { name: "u" },
  { name: "patch", isText: true },
]);

function ballot(calls: readonly (readonly [string, string])[], rules: ActConfig = {}): Ballot {
  const read = calls.map(([name, input], i) => readCall({ id: `${i}`, name, input }, tools));
  return ballotOf(
    read.map((call) => ("rule" in call ? expect.unreachable(call.reason) : call)),
    rules,
  );
}
const key = (text: string, rules?: ActConfig) => ballot([["t", text]], rules).key;

describe("two calls are one vote [AC-ballot]", () => {
  it.each([
    ['{"path":"a","limit":5}', '{ "limit": 5.0, "path": "a" }'],
    ['{"limit":1e3}', '{"limit":1000}'],
    ['{"path":"a"}', '{"path":"a","limit":10}'],
    ['{"path":"a"}', '{"path":"a","note":null}'],
    ['{"nested":{}}', '{"nested":{"deep":false}}'],
    ['{"path":"a  b"}', '{"path":" a b "}'],
    ['{"cmd":"ls -l -a"}', '{"cmd":"ls  -a -l"}'],
    ['{"cmd":"git commit -m \\"one two\\""}', `{"cmd":"git commit -m 'one two'"}`],
    ['{"code":"a = 1;\\n\\nb( a )"}', '{"code":"a = 1;\\nb(a)"}'],
    ['{"note":"{\\"a\\":1,\\"b\\":2}"}', '{"note":"{ \\"b\\": 2, \\"a\\": 1 }"}'],
    ["", "{}"],
  ])("%s and %s", (a, b) => expect(key(a)).toBe(key(b)));

  it("of several side by side, in any order", () => {
    const [one, two] = [
      ["t", '{"path":"a"}'],
      ["u", '{"x":1}'],
    ] as const;
    expect(ballot([one, two]).key).toBe(ballot([two, one]).key);
    expect(ballot([one, one]).key).not.toBe(ballot([one]).key);
  });
});

describe("two calls are two votes [AC-ballot]", () => {
  it.each([
    ['{"path":"a"}', '{"path":"b"}'],
    ['{"path":"a"}', '{"path":"A"}'],
    ['{"limit":5}', '{"limit":6}'],
    ['{"mode":"read"}', '{"mode":"write"}'],
    ['{"nested":{}}', "{}"],
    ['{"list":[[]]}', '{"list":[{}]}'],
    ['{"list":[1,2]}', '{"list":[2,1]}'],
    ['{"list":[12345678901234567890]}', '{"list":[12345678901234567891]}'],
    ['{"list":[1e999]}', '{"list":[null]}'],
    ['{"list":["=","a"]}', '{"list":["~","a"]}'],
    ['{"cmd":"rm -f a"}', '{"cmd":"rm -f b"}'],
    ['{"cmd":"find . -delete -name x"}', '{"cmd":"find . -name x -delete"}'],
    ['{"cmd":"echo \\"$a\\""}', '{"cmd":"echo $a"}'],
    ['{"cmd":"tar -c -f x"}', '{"cmd":"tar -f -c x"}'],
    ['{"code":"if a:\\n  b\\n  c"}', '{"code":"if a:\\n  b\\nc"}'],
  ])("%s and %s", (a, b) => expect(key(a)).not.toBe(key(b)));

  it("of one argument that the settings call exact", () => {
    expect(key('{"path":"a "}')).toBe(key('{"path":"a"}'));
    expect(key('{"path":"a "}', { exact: ["t.path"] })).not.toBe(key('{"path":"a"}', { exact: ["t.path"] }));
  });
});

it("free text that the settings name does not divide the votes [AC-free]", () => {
  const rules = { free: ["note"] };
  expect(key('{"note":"one","path":"a"}', rules)).toBe(key('{"note":"two","path":"a"}', rules));
  expect(ballot([["t", '{"note":"one","mode":"read"}']])).toMatchObject({ texts: ["one"] });
  expect(ballot([["t", '{"note":"one"}']]).skeleton).toBe(ballot([["t", '{"note":"two"}']]).skeleton);
  expect(ballot([["patch", "*** Begin"]])).toMatchObject({
    texts: ["*** Begin"],
    label: 'patch("*** Begin")',
  });
});

it.each([
  ["{", "not JSON"],
  ["[]", "not an object"],
  ['{"limit":"5"}', "limit must be of type integer"],
  [`${'{"a":'.repeat(150)}1${"}".repeat(150)}`, "nested too deeply"],
])("arguments %.20s raise a red flag [AC-flags]", (input, reason) => {
  expect(readCall({ id: "1", name: "t", input }, tools)).toMatchObject({
    rule: "invalid_arguments",
    reason: expect.stringContaining(reason),
  });
});

it("a schema that cannot be checked in bounded time is not checked, and said so [AC-hostile]", () => {
  const hostile = compileTools([
    { name: "loop", inputSchema: { $defs: { a: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" } },
    { name: "slow", inputSchema: { type: "object", properties: { a: { pattern: "^(?=(a+)+$)" } } } },
    { name: "none", inputSchema: "text" },
  ]);
  expect(hostile.warnings).toEqual([]);
  for (const name of hostile.byName.keys()) readCall({ id: "1", name, input: "{}" }, hostile);
  expect(hostile.warnings).toHaveLength(3);
  expect(readCall({ id: "1", name: "slow", input: '{"a":"aaa"}' }, hostile)).toHaveProperty("value");
});

it("a command that is not simple is not taken apart", () => {
  expect(canonicalCommand("echo 'unclosed")).toBeUndefined();
  expect(canonicalCommand("a\nb")).toBeUndefined();
  expect(canonicalCommand("a|b")).toBe(canonicalCommand("a | b"));
  expect(canonicalCommand("a '|' b")).not.toBe(canonicalCommand("a | b"));
});

it("the sample closest to all others is a real one, and says how close it is [AC-free]", () => {
  const texts = [["Fix the login bug"], ["Fix a bug in the login"], ["Delete the database"]];
  const { index, agreement } = closestToAll(texts);
  expect(index).not.toBe(2);
  expect(agreement).toBeLessThan(1);
  expect(similarity("a", "b")).toBeLessThan(0.5);
  expect(similarity("same words", "same words")).toBe(1);
});

it("a sample that names another file in the same words is not the closest [AC-free]", () => {
  const texts = [
    "sed -i 's/a - b/a + b/' lib/sums.js",
    "perl -pi -e 's/a - b/a + b/' lib/sum.js",
    "sed -i -e 's/a - b/a + b/g' ./lib/sum.js",
  ];
  expect(closestToAll(texts.map((text) => [text])).index).not.toBe(0);
  expect(similarity("see lib/a.js", "see ./lib/a.js")).toBeGreaterThan(
    similarity("see lib/a.js", "see lib/b.js"),
  );
});

it.each([
  ["get_*", "get_file", true],
  ["*", "", true],
  ["*_file", "get_files", false],
  ["g*e*t", "get", true],
  ["a*a", "a", false],
  ["get", "getter", false],
  ["*b*b", "ab", false],
  [`${"*a".repeat(90)}b`, "a".repeat(200), false],
])("the pattern %.20s matches %.20s: %s", (glob, text, matches) =>
  expect(matchesPattern(glob, text)).toBe(matches),
);

describe("patterns of settings are compared with a bounded number of names [AC-hostile]", () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => `*a${i}`);

  it("refuses more patterns than can be compared with the names of all tools", () => {
    const offered = compileTools(many(600).map((name) => ({ name })));
    const rules = (patterns: number) => () =>
      actRules({ read_only: many(patterns) }, 3, offered, { type: "auto" });
    expect(rules(80)).not.toThrow();
    expect(rules(90)).toThrow("90 patterns for 600 tools");
  });

  it("takes at most 100 numbers of votes", () => {
    const votes = (count: number) => Object.fromEntries(many(count).map((name) => [name, 2]));
    expect(actConfigSchema.safeParse({ k_by_tool: votes(100) }).success).toBe(true);
    expect(actConfigSchema.safeParse({ k_by_tool: votes(101) }).success).toBe(false);
  });

  it("compares the last of very many arguments as they are written", () => {
    const args = (last: string) =>
      JSON.stringify({ ...Object.fromEntries(many(1000).map((name) => [name, "x"])), zz: last });
    const rules = { free: [...many(99), "zz"] };
    expect(key('{"zz":"one"}', rules)).toBe(key('{"zz":"two"}', rules));
    expect(key(args("one"), rules)).not.toBe(key(args("two"), rules));
  });
});
