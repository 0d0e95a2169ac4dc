import { describe, expect, test } from "vitest";
import { figures, isMeasured, measureInTurns, ratio } from "./rounds.ts";

describe("taking turns", () => {
  test("everybody is asked once to warm up, then in every round, and who begins changes", async () => {
    const asked: string[] = [];
    const outcomes = await measureInTurns(["a", "b"], 2, async (name, round) => {
      asked.push(`${name}${round}`);
      return round * 10 + (name === "a" ? 1 : 2);
    });
    expect(asked).toEqual(["a0", "b0", "b1", "a1", "a2", "b2"]);
    expect(outcomes.a).toEqual({ rounds: [11, 21], median: 16, low: 11, high: 21 });
  });

  test("who fails is not asked again, and says why; the others go on", async () => {
    let attempts = 0;
    const outcomes = await measureInTurns(["broken", "sound"], 3, async (name) => {
      if (name === "sound") return 1;
      attempts += 1;
      throw new Error("no such tool");
    });
    expect(attempts).toBe(1);
    expect(outcomes.broken).toEqual({ error: "no such tool" });
    expect(isMeasured(outcomes.broken)).toBe(false);
    expect(isMeasured(outcomes.sound)).toBe(true);
  });
});

test("a ratio compares neighbouring rounds: what slowed down both does not count", () => {
  expect(ratio(figures([10, 100, 30]), figures([5, 50, 15]))).toBe(2);
});
