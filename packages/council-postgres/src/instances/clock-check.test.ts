import { expect, test } from "vitest";
import { createClockCheck } from "./clock-check.ts";

test("[D-clocks] a clock that differs from the database's is said once, and once when it is right again", () => {
  const logged: string[] = [];
  let now = 0;
  const check = createClockCheck(
    (message) => void logged.push(message),
    () => now,
  );
  const answered = (offMs: number, latencyMs = 5) => {
    now = 1_000_000 + offMs + latencyMs;
    check(1_000_000, 1_000_000 + offMs);
  };
  answered(0);
  // An answer that took long says nothing about the clock.
  answered(-5000, 40_000);
  expect(logged).toEqual([]);
  answered(600_000);
  answered(600_000);
  answered(0);
  answered(-3_600_000);
  expect(logged).toEqual([
    expect.stringContaining("600 seconds ahead of the database's"),
    expect.stringContaining("agrees"),
    expect.stringContaining("3600 seconds behind the database's"),
  ]);
});
