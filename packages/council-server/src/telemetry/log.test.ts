import { expect, test } from "vitest";
import { createLog, LOG_FORMATS } from "./log.ts";

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function logged(format: (typeof LOG_FORMATS)[number]) {
  const lines: string[] = [];
  return { lines, log: createLog({ format, instance: "1a2b3c4d", write: (line) => lines.push(line) }) };
}

test("[SV-log] an entry in JSON has its time, level, instance, run and task as fields", () => {
  const { lines, log } = logged("json");
  log("run r1: failed", { level: "error", run: "r1" });
  log("task t1 waits", { task: "t1" });
  const entries = lines.map((line) => JSON.parse(line));
  expect(entries).toEqual([
    {
      ...{ time: expect.stringMatching(TIME), level: "error", instance: "1a2b3c4d" },
      ...{ message: "run r1: failed", run: "r1" },
    },
    {
      ...{ time: expect.stringMatching(TIME), level: "warn", instance: "1a2b3c4d" },
      ...{ message: "task t1 waits", task: "t1" },
    },
  ]);
});

test("[SV-log] an entry in text begins with its time and level; later lines of it are indented", () => {
  const { lines, log } = logged("text");
  log("unexpected error: Error: x\n    at y", { level: "error" });
  expect(lines).toEqual([expect.stringMatching(/^\S+Z error unexpected error: Error: x\n {8}at y\n$/)]);
});

test("[SV-log] no message can pass for another entry, or act on a terminal", () => {
  const hostile = "a\n2026-01-01T00:00:00.000Z error forged\r\u2028b\u001b[2J\u009b2J\u202e\u0000\u0085c";
  for (const format of LOG_FORMATS) {
    const { lines, log } = logged(format);
    log(hostile, { run: hostile });
    expect(lines.join("")).toMatch(/^[^\p{Cc}\u2028\u202e]+(\n {4}[^\p{Cc}\u2028\u202e]*)*\n$/u);
    expect(
      lines
        .join("")
        .split("\n")
        .filter((line) => /^\S*\d{4}-\d\d/.test(line)).length,
    ).toBeLessThan(2);
  }
  const { lines, log } = logged("json");
  log(hostile, { run: hostile });
  expect(JSON.parse(lines[0]!)).toMatchObject({ message: hostile, run: hostile });
});
