import { expect, test } from "vitest";
import { cpuMs } from "../../../../../test/cpu-time.ts";
import { withHeader } from "./headers.ts";

test("blanks around a value go, inner ones stay, however many [H-wire]", () => {
  expect(withHeader([], "X", " \ta \t b\t ")).toEqual(["X", "a \t b"]);
  const value = `a${" \t".repeat(500_000)}b`;
  const started = cpuMs();
  expect(withHeader([], "X", value)[1]).toHaveLength(value.length);
  expect(cpuMs() - started).toBeLessThan(1000);
});
