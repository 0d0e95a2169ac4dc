import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Case } from "../../conformance/run/case.ts";
import { readCases } from "../../conformance/run/read-cases.ts";
import { explain } from "./explain.ts";
import type { Replayed } from "./replay.ts";

const all = readCases().flatMap(({ topic, cases }) => cases.map((each) => ({ topic, case: each })));
const replayed = (differs: (each: Case) => boolean): Replayed[] =>
  all.map(({ topic, case: each }) => ({
    topic,
    case: each,
    differences: differs(each) ? ["another text"] : [],
  }));

describe("what explains the differences between mci-py and us", () => {
  test("every case that is marked as different has a line on the page about coming from mci-py", () => {
    const { unexplained, differences } = explain(replayed((each) => each.differs?.["mci-py"] !== undefined));
    expect(unexplained).toEqual([]);
    expect(differences.length).toBeGreaterThan(50);
  });

  test("a failure that no case is marked for is not explained", () => {
    const plain = all.find(({ case: each }) => each.differs?.["mci-py"] === undefined)!.case;
    const { unexplained } = explain(replayed((each) => each.id === plain.id));
    expect(unexplained).toEqual([`${plain.id}: the case has no "differs" (another text)`]);
  });

  test("a case that is marked but passes is reported", () => {
    const { alike, topics } = explain(replayed(() => false));
    expect(alike).toHaveLength(all.filter(({ case: each }) => each.differs?.["mci-py"] !== undefined).length);
    expect(topics.every(({ cases, passes }) => cases === passes)).toBe(true);
  });

  test("explained.json names only cases that exist, each once", () => {
    const lines: Record<string, string[]> = JSON.parse(
      readFileSync(new URL("explained.json", import.meta.url), "utf8"),
    );
    const ids = Object.values(lines).flat();
    expect(ids.filter((id) => !all.some(({ case: each }) => each.id === id))).toEqual([]);
    expect(ids).toHaveLength(new Set(ids).size);
  });
});
