import { expect, test } from "vitest";
import { Reloadable } from "./reloadable.ts";

function versions() {
  const closed: number[] = [];
  let count = 0;
  let error: Error | undefined;
  const load = async () => {
    if (error) throw error;
    const number = ++count;
    return { number, close: async () => void closed.push(number) };
  };
  return {
    closed,
    load,
    break: () => {
      error = new Error("broken");
    },
  };
}

test("work in flight finishes on the version it started with, which is closed after it [R-reload]", async () => {
  const { closed, load } = versions();
  const file = await Reloadable.open(load);
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = file.use(async ({ number }) => {
    await promise;
    return [number, [...closed]];
  });
  await file.reload();
  expect(await file.use(async ({ number }) => number)).toBe(2);
  await file.reload();
  expect(closed).toEqual([2]);
  resolve();
  expect(await slow).toEqual([1, [2]]);
  expect([closed, file.current.number]).toEqual([[2, 1], 3]);
});

test("a reload that fails changes nothing, and closing closes what is in use, once", async () => {
  const { closed, load, break: breakIt } = versions();
  const file = await Reloadable.open(load);
  breakIt();
  await expect(file.reload()).rejects.toThrow("broken");
  expect(file.current.number).toBe(1);
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = file.use(() => promise);
  await file.close();
  resolve();
  await slow;
  expect(closed).toEqual([1]);
});
