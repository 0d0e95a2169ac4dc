import { expect, test } from "vitest";
import { readAtStart } from "./read-at-start.ts";

test.each([
  ["a statement that PostgreSQL refuses", "42P01"],
  ["a database that failed over", "instance_lost"],
])("%s is an error at once: waiting changes nothing [H-busy-start]", async (_, code) => {
  const logged: string[] = [];
  const read = () => Promise.reject(Object.assign(new Error("refused"), { code }));
  const reading = readAtStart(read, { waitMs: 60_000, log: (message) => logged.push(message) });
  await expect(reading).rejects.toThrow("refused");
  expect(logged).toEqual([]);
});
