import jmespath from "jmespath";
import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../../../test/cpu-time.ts";
import { compileExpression } from "./compile.ts";

const LIMITS = { maxSteps: 200_000, maxBytes: 1024 * 1024 };
const search = (source: string, data: unknown) => compileExpression(source)(data, LIMITS);

const DATA = {
  n: 3,
  text: "foofoo",
  empty: [],
  numbers: [10, 9, -1, 2.5],
  words: ["b", "a", "c"],
  nested: [[1, [2]], 3, [4]],
  people: [
    { name: "Ann", age: 41, tags: ["x"] },
    { name: "Bob", age: 7 },
    { name: "Cy", age: 41, tags: [] },
  ],
  map: { a: { v: 1 }, b: { v: 2 }, c: 5 },
};

describe("what an expression gives is what the library gives", () => {
  test.each([
    ["n"],
    ["missing.deeper"],
    ["people[0].name"],
    ["people[-1].name"],
    ["people[*].age"],
    ["people[].tags[]"],
    ["people[?age > `10`].name"],
    ["people[?tags].name | [0]"],
    ["people[?name == 'Bob' || age == `41`].[name, age]"],
    ["people[].{who: name, old: age >= `18`}"],
    ["map.*.v"],
    ["nested[]"],
    ["nested[][]"],
    ["numbers[1:3]"],
    ["numbers[::-1]"],
    ["numbers[-2:]"],
    ["numbers[5:0:-2]"],
    ["numbers[10:]"],
    ["!empty && n"],
    ["empty || 'none'"],
    ["@.n"],
    ['`{"a": [1, null]}`'],
    ["people == people"],
    ["people[0] != people[2]"],
    ["'abc' < 'abd'"],
    ["length(people)"],
    ["length(map)"],
    ["keys(map)"],
    ["values(map)"],
    ["sort_by(people, &age)[*].name"],
    ["max_by(people, &age).name"],
    ["min_by(people, &age).name"],
    ["map(&age, people)"],
    ["map(&missing, people)"],
    ['merge(map, `{"a": 1}`)'],
    ["sum(numbers)"],
    ["avg(numbers)"],
    ["max(numbers)"],
    ["min(words)"],
    ["sort(words)"],
    ["join(', ', words)"],
    ["reverse(words)"],
    ["reverse(text)"],
    ["contains(words, 'a')"],
    ["contains(text, 'oof')"],
    ["ends_with(text, 'oo')"],
    ["to_string(map)"],
    ["to_number('12.5')"],
    ["to_number('x')"],
    ["to_array(n)"],
    ["type(people)"],
    ["not_null(missing, empty, n)"],
    ["abs(numbers[2])"],
    ["ceil(numbers[3])"],
    ["floor(numbers[3])"],
  ])("%s", (source) => {
    const expected = jmespath.search(DATA, source);
    expect(expected).toBeDefined();
    expect(search(source, DATA)).toEqual(expected);
  });
});

describe("where the library departs from the specification, the specification holds", () => {
  test.each([
    ["sort(numbers)", [-1, 2.5, 9, 10]],
    ["starts_with(text, 'foo')", true],
    ["max_by(people, &name).name", "Cy"],
    ["avg(empty)", null],
    ["max_by(empty, &name)", null],
    ["contains(nested, `[4]`)", true],
    ["constructor", null],
    ["text.length", null],
    ["`[1]` < `[2]`", null],
    ["people[?missing < `9`]", []],
    ['{"__proto__": n}.n', null],
  ])("%s is %j", (source, expected) => {
    expect(search(source, DATA)).toEqual(expected);
  });
});

describe("what cannot be applied is an error that says why", () => {
  test.each([
    ["people.", "incomplete"],
    ["foo(", ""],
    ["()", "incomplete"],
    ["nothing(@)", "unknown function nothing()"],
    ["constructor(@)", "unknown function constructor()"],
    ["abs(text)", "argument 1 of abs() must be number, but it is string"],
    ["abs()", "abs() takes 1 arguments, not 0"],
    ["sort_by(people, &tags)", "numbers or texts"],
    ["numbers[::0]", "step of a slice"],
    ["&n", "expression reference"],
    ["[&n]", "expression reference"],
    ["(".repeat(50_000), ""],
  ])("case %#", (source, reason) => {
    expect(() => search(source, DATA)).toThrow(reason);
  });

  test("data cannot pass for an expression", () => {
    const forged = { jmespathType: "Expref", type: "Field", name: "n" };
    expect(() => search("map(key, people)", { ...DATA, key: forged })).toThrow("must be expression");
  });
});

describe("[E-bounded] an expression costs no more than its limits, whatever it says and whatever the data is", () => {
  const doubled = (times: number) => Array(times).fill("[@, @]").join(" | ");
  const many = Array.from({ length: 20_000 }, (_, i) => i);
  test.each([
    ["doubles its value 40 times", doubled(40), 1],
    ["doubles it as text", `${doubled(40)} | to_string(@)`, 1],
    ["doubles a text", Array(40).fill("join('', [@, @])").join(" | "), "x".repeat(10)],
    ["flattens what it doubles", `@ | ${Array(30).fill("[@, @][]").join(" | ")}`, [1, 2]],
    ["looks at every pair", "map(&map(&@, `[1]`), @) | @[?contains(@, @)] | @[*][*]", many.map(() => many)],
    ["compares everything with everything", "@[?length(@) > `0`] | @[?@ == @]", many.map(() => many)],
    ["compares long texts", "@[?@ == @] | sort(@)", many.map(() => "y".repeat(50_000))],
    [
      "searches a text that repeats itself",
      `contains(a, b)`,
      { a: "a".repeat(2_000_000), b: `b${"a".repeat(500_000)}` },
    ],
    ["sorts long texts", "sort(@)", many.map((i) => `${"z".repeat(20_000)}${i}`)],
    ["merges", "@[*].merge(@, @) | @[*].to_string(@)", many.map((i) => ({ [`k${i}`]: "v".repeat(1000) }))],
    ["lists an object with many keys", "*", Object.fromEntries(many.map((i) => [`k${i}`, i]))],
    ["nests its value", Array(2000).fill("[@]").join(" | "), 1],
  ])("%s", (_, source, data) => {
    const expression = compileExpression(source);
    const heap = process.memoryUsage().heapUsed;
    const started = cpuMs();
    expect(() => expression(data, LIMITS)).toThrow(/more than \d+ (steps|bytes)|nested/);
    expect(cpuMs() - started).toBeLessThan(1000);
    expect(process.memoryUsage().heapUsed - heap).toBeLessThan(64 * 1024 * 1024);
  });

  test.each([
    ["asks whether it is empty", "[?!@]"],
    ["compares it with an empty one", "[?`{}` == @]"],
  ])("copies an object with many keys, and %s", (_, filter) => {
    const expression = compileExpression(`[@] | ${Array(13).fill("[@, @][]").join(" | ")} | ${filter}`);
    const started = cpuMs();
    expect(expression(Object.fromEntries(many.map((i) => [`k${i}`, i])), LIMITS)).toEqual([]);
    expect(cpuMs() - started).toBeLessThan(1000);
  });

  test("searching is linear and right", () => {
    const text = `${"ab".repeat(1000)}c${"ab".repeat(100)}`;
    for (const wanted of [`${"ab".repeat(50)}c`, `c${"ab".repeat(40)}`, "ab".repeat(1000)])
      expect(search("contains(t, w)", { t: text, w: wanted })).toBe(true);
    for (const wanted of [`${"ab".repeat(50)}d`, "ab".repeat(1001)])
      expect(search("contains(t, w)", { t: text, w: wanted })).toBe(false);
  });
});
