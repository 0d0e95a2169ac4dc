import { expect, test } from "vitest";
import { type ProcessRow, parsePs, parseStat, treeOf } from "./tree.ts";

const row = (pid: number, parent: number, group = pid, session = group): ProcessRow => ({
  pid,
  parent,
  group,
  session,
});

test("a tree holds the group, the session and all descendants, in whatever order they are listed", () => {
  const table = [
    row(30, 20, 30), // left the group; its parent comes later in the list
    row(20, 10, 20),
    row(10, 1, 10),
    row(11, 1, 10), // its parent is gone, but it is still in the group
    row(12, 1, 12, 10), // a job of its own in the same session
    row(40, 1, 40),
    row(41, 40, 41),
  ];
  expect(treeOf(10, [], table).map(({ pid }) => pid)).toEqual([30, 20, 10, 11, 12]);
});

test("a known member still counts after its parents are gone", () => {
  const table = [row(30, 1), row(31, 30), row(99, 1)];
  expect(treeOf(10, [row(30, 20)], table).map(({ pid }) => pid)).toEqual([30, 31]);
});

test("the process table is read whatever programs are called, without zombies", () => {
  expect(parseStat("12 (a (b) c) S 3 4 5 0 -1")).toEqual([row(12, 3, 4, 5)]);
  expect(parseStat("12 (x) Z 3 4 5 0 -1")).toEqual([]);
  expect(parsePs("    1     0     1 Ss\n  12     3     4 S+\n  13     3     4 Z\n")).toEqual([
    { pid: 1, parent: 0, group: 1 },
    { pid: 12, parent: 3, group: 4 },
  ]);
});
