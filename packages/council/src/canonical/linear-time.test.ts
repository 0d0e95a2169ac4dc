import { expect, test } from "vitest";
import { cpuMs } from "../../../../test/cpu-time.ts";
import { fenced } from "./code.ts";
import { canonicalFormula, isPlainWord } from "./exact.ts";

test.each<[string, () => unknown]>([
  ["hyphens and accents", () => isPlainWord(`${"-\u0301".repeat(20_000)}!`)],
  ["signs of arithmetic", () => canonicalFormula(`${"=".repeat(60)}~`)],
  ["blanks after a fence", () => fenced(`\`\`\`${" ".repeat(100_000)}`)],
  ["a fence that is never closed", () => fenced(`\`\`\`${" ".repeat(50_000)}\n${"x".repeat(50_000)}`)],
])("a long reply of %s takes linear time", (_, read) => {
  const started = cpuMs();
  expect(read()).toBeFalsy();
  expect(cpuMs() - started).toBeLessThan(500);
});
