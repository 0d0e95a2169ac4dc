import { describe, expect, test } from "vitest";
import { figures, type Row } from "../speed/rounds.ts";
import { findBehind } from "./behind.ts";
import { figure, quantity, times } from "./format.ts";
import { page, type Results, replaceBehaviour } from "./page.ts";

const row = (id: string, sides: Record<string, number>, unit: Row["unit"] = "µs"): Row => ({
  id,
  what: `the work ${id}`,
  unit,
  outcomes: Object.fromEntries(Object.entries(sides).map(([name, value]) => [name, figures([value])])),
});

describe("rows in which we are behind", () => {
  const behind = (sides: Record<string, number>, unit?: Row["unit"]) =>
    findBehind([row("some-row", sides, unit)]).map(({ of }) => of);

  test("more than 1.3 x from the bare operation", () => {
    expect(behind({ "mci-ts": 13, bare: 10 })).toEqual([]);
    expect(behind({ "mci-ts": 14, bare: 10 })).toEqual(["1.4 x bare"]);
  });

  test("more than noise behind a peer", () => {
    expect(behind({ "mci-ts": 11, "mci-py": 10 })).toEqual([]);
    expect(behind({ "mci-ts": 12, "mci-py": 10, utcp: 20 })).toEqual(["1.2 x mci-py"]);
  });

  test("of rates, more is better", () => {
    expect(behind({ "mci-ts": 200, bare: 100 }, "per second")).toEqual([]);
    expect(behind({ "mci-ts": 100, bare: 200 }, "per second")).toEqual(["2.0 x bare"]);
  });

  test("a row without a reason has none, and one that was made faster stays on the page", () => {
    expect(findBehind([row("unexplained", { "mci-ts": 9, bare: 1 })])[0]).toMatchObject({ note: undefined });
    expect(findBehind([row("load-10", { "mci-ts": 1, bare: 1 })])[0]?.note?.before).toMatch(/µs/);
  });
});

describe("figures", () => {
  test.each([
    [0.456, "µs", "0.46 µs"],
    [45.67, "µs", "45.7 µs"],
    [4567, "µs", "4.6 ms"],
    [4_567_000, "µs", "4.57 s"],
    [5 * 2 ** 20, "bytes", "5.0 MiB"],
    [12345.6, "per second", "12,346/s"],
    [3, "count", "3"],
  ] as const)("%d %s is written %s", (value, unit, expected) => {
    expect(quantity(value, unit)).toBe(expected);
  });

  test.each([
    [0.00123, "0.0012 x"],
    [1.24, "1.2 x"],
    [345, "345 x"],
    [12345, "12300 x"],
  ])("%d times", (value, expected) => expect(times(value)).toBe(expected));

  test("who failed says why; who was not asked, or cannot do it, has a dash", () => {
    expect(figure({ error: "exit code 1" }, "µs")).toBe("failed: exit code 1");
    expect(figure({ error: "not supported" }, "µs")).toBe("–");
    expect(figure(undefined, "µs")).toBe("–");
  });
});

describe("the page", () => {
  const results: Results = {
    date: "2026-01-02",
    machine: "a machine",
    minutes: 3,
    versions: [["Node.js", "24.0.0"]],
    rounds: 7,
    remarks: ["**one is skipped**"],
    work: [row("text", { "mci-ts": 2, bare: 1, "mci-py": 8 })],
    starts: [],
    memory: [],
    tokens: [],
    costs: [{ name: "mci-ts", packages: 3, bytes: 2 ** 20 }],
    serving: [],
    arrives: [],
  };

  test("says when, where, with what, and who is missing", () => {
    const text = page(results, [], false);
    for (const part of ["2026-01-02, 3 minutes", "a machine", "| Node.js | 24.0.0 |", "one is skipped"])
      expect(text).toContain(part);
    expect(text).not.toContain(".svg");
  });

  test("has a column for every peer that was measured, and ours as a multiple of theirs", () => {
    const text = page(results, [], false);
    expect(text).toContain("|  | bare | mci-ts | mci-py | x bare | x mci-py |");
    expect(text).toMatch(/\| the work text \| 1\.00 µs.*\| 2\.0 x \| 0\.25 x \|/);
  });

  test("opens with the result in numbers and the command to repeat it", () => {
    const checks = [
      { what: "text", right: true, arrives: "Hello" },
      { what: "a picture", right: false, arrives: "nothing" },
    ];
    const slow = row("cli", { "mci-ts": 4, "mci-py": 2 });
    const text = page(
      { ...results, work: [...results.work, slow], arrives: [["`mci run`", checks]] },
      [],
      false,
    );
    const summary = text.slice(0, text.indexOf("## What was compared"));
    expect(summary).toContain(
      "compared with mci-py**: 0.25 times as long (median of 2 measurements); more than 15 % slower in 1 (the work cli)",
    );
    expect(summary).toContain("`mci run` 1 of 2");
    expect(summary).toContain("mci-ts 1.0 MiB in 3");
    expect(summary).toContain("`npm run compare`");
    expect(summary).not.toContain("UTCP**");
  });

  test("shows a row without a reason as one", () => {
    const behind = findBehind([row("unexplained", { "mci-ts": 9, bare: 1 })]);
    expect(page(results, behind, false)).toContain(
      "| the work unexplained | 9.00 µs: 9.0 x bare |  | **not explained** |",
    );
  });

  test("the behaviour of another run takes the place of the old one, and nothing else changes", () => {
    const behaviour = (passes: number) => ({
      topics: [{ topic: "cli", cases: 9, passes, decisions: 9 - passes, defects: 0 }],
      differences: [],
      unexplained: [],
      alike: [],
    });
    const before = page({ ...results, behaviour: behaviour(3) }, [], true);
    expect(before).toContain("passes 3 of 9");
    const after = page({ ...results, behaviour: behaviour(7) }, [], true);
    expect(replaceBehaviour(before, behaviour(7), results.date, true)).toBe(after);
  });
});
