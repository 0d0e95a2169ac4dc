import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../../test/cpu-time.ts";
import { fixedInput } from "./fixed-input.ts";
import { inputReader } from "./input.ts";

/** Generous for a busy machine; each took between 3 and 10 seconds before it was bounded. */
const MAX_MS = 1500;

/** Names of 62 characters that differ from those of another beginning, but not by much. */
const names = (beginning: string, count: number) =>
  Array.from(
    { length: count },
    (_, index) => `${beginning.repeat(20)}${"xyz".repeat(12)}${String(index).padStart(6, "0")}`,
  );
const withNames = (list: readonly string[], value: unknown) =>
  Object.fromEntries(list.map((name) => [name, value]));

describe("[P-hostile-input] a caller who sends very many names", () => {
  test("gets an answer about missing ones in bounded time", async () => {
    const properties = withNames(names("a", 20), { type: "string" });
    const inputSchema = { type: "object", properties, required: Object.keys(properties) };
    const read = await inputReader({ name: "t", inputSchema });
    const started = cpuMs();
    expect(() => read(withNames(names("b", 9000), 1))).toThrow(/did you mean it/);
    expect(cpuMs() - started).toBeLessThan(MAX_MS);
  });

  test("gets them back as ignored in bounded time where the file fixes values", async () => {
    const inputSchema = { type: "object", properties: { owner: {}, q: {} } };
    const own = { fixed: { owner: "x" }, hidden: new Set(["owner"]), defaults: {} };
    const read = fixedInput(await inputReader({ name: "t", inputSchema }), own);
    const started = cpuMs();
    expect(read(withNames(names("b", 60_000), 1)).ignored).toHaveLength(60_000);
    expect(cpuMs() - started).toBeLessThan(MAX_MS);
  });
});
