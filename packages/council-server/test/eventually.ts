import { expect } from "vitest";

/** Waits until a value is as expected, with a wide limit for busy machines. */
export function eventually<T>(value: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(value, { timeout: 15_000, interval: 25 });
}
