import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { RunStatistics } from "./run-statistics.ts";

const ended = (model: string) =>
  ({
    kind: "ended",
    id: "1",
    at: 1,
    status: "complete",
    httpStatus: 200,
    response: "",
    model,
    agreed: 3,
    votes: 4,
  }) as const;

describe("run statistics", () => {
  it("count how often a model agreed with the winner, before and since startup", () => {
    const statistics = new RunStatistics([{ model: "a", agreed: 1, total: 2 }]);
    statistics.record(ended("a"));
    expect(statistics.agreement("a")).toEqual({ agreed: 4, total: 6 });
    expect(statistics.agreement("b")).toBeUndefined();
  });

  it("cache whether two wordings mean the same, up to a limit", () => {
    const { equivalences } = new RunStatistics([]);
    equivalences.set("first", true);
    expect([equivalences.get("first"), equivalences.get("other")]).toEqual([true, undefined]);
    for (let n = 0; n < 10_000; n++) equivalences.set(`question ${n}`, false);
    expect([equivalences.get("first"), equivalences.get("question 9999")]).toEqual([undefined, false]);
  });

  it("stay small, however long the questions and however many the model names", () => {
    const statistics = new RunStatistics([]);
    const before = heapUsed();
    for (let n = 0; n < 64; n++) statistics.equivalences.set(`${n} ${"x".repeat(1024 * 1024)}`, true);
    expect(heapUsed() - before).toBeLessThan(50 * 1024 * 1024);
    for (let n = 0; n < 2000; n++) statistics.record(ended(`model-${n}`));
    expect([statistics.agreement("model-0"), statistics.agreement("model-1999")?.total]).toEqual([
      undefined,
      4,
    ]);
  });
});

function heapUsed(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}
