import { expect, test } from "vitest";
import { withTimeout } from "./timeout.ts";

const never = new Promise<string>(() => {});

test("work that is in time settles as it would alone", async () => {
  expect(await withTimeout(1000, Promise.resolve("done"), () => "late")).toBe("done");
  await expect(withTimeout(1000, Promise.reject(new Error("broken")), () => "late")).rejects.toThrow(
    "broken",
  );
});

test("work that takes longer gives the result or the error of the timeout", async () => {
  expect(await withTimeout(5, never, () => "late")).toBe("late");
  const fail = () => {
    throw new Error("no response within 5 ms");
  };
  await expect(withTimeout(5, never, fail)).rejects.toThrow("no response within 5 ms");
});
