import { expect, test } from "vitest";
import { mciHere } from "./in-process.ts";
import { folder } from "./mci.ts";

/** Moves the cursor, sets the title, turns the text around. */
const HOSTILE = "a\x1b[2J\x07\x9b1mb\u202ec\u2066d\x7fe";
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to look for.
const RAW = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const tool = {
  name: `t${HOSTILE}`,
  description: HOSTILE,
  tags: [HOSTILE],
  inputSchema: { type: "object", properties: { [HOSTILE]: { type: "string" } } },
  execution: { type: "text", text: HOSTILE },
};
const broken = {
  schemaVersion: "1.0",
  [HOSTILE]: 1,
  tools: [{ name: HOSTILE, execution: { type: HOSTILE } }],
};

test.each<[string[], object]>([
  [["list"], { tools: [tool] }],
  [["list", "--verbose"], { tools: [tool] }],
  [["list", "--format", "json", "--verbose"], { tools: [tool] }],
  [["list", "--format", "yaml", "--verbose"], { tools: [tool] }],
  [["list", "--format", "names"], { tools: [tool] }],
  [["list", "--filter", `only:${HOSTILE}`], { tools: [tool] }],
  [["call", tool.name], { tools: [tool] }],
  [["call", tool.name, "--format", "json"], { tools: [tool] }],
  [["call", HOSTILE], { tools: [tool] }],
  [["call", tool.name, HOSTILE], { tools: [tool] }],
  [["call", tool.name, `--${HOSTILE}`], { tools: [tool] }],
  [["validate"], broken],
  [["validate", "--format", "json"], broken],
  [["list"], broken],
  [["envs"], { tools: [{ ...tool, execution: { type: "text", text: `{{env.X}} ${HOSTILE}` } }] }],
  [["envs", "--format", "env"], { tools: [{ ...tool, execution: { type: "text", text: "{{env.X}}" } }] }],
  [[HOSTILE], { tools: [tool] }],
  [["list", "--file", `${HOSTILE}.json`], { tools: [tool] }],
  [["validate", "--file", `${HOSTILE}.json`], { tools: [tool] }],
  [["add", HOSTILE], { tools: [tool] }],
  [["add", HOSTILE, "--force"], { tools: [tool] }],
])("[C-controls] %j prints no control characters of others on a terminal", async (args, document) => {
  const cwd = folder({ "mci.json": { schemaVersion: "1.0", ...document } });
  const { stdout, stderr } = await mciHere(args, { cwd, columns: 100, stderrColumns: 100 });
  // The spinner clears its own line.
  const printed = (stdout + stderr).replaceAll("\r\x1b[K", "");
  expect(printed).not.toBe("");
  expect(RAW.exec(printed)?.index ?? -1, JSON.stringify(printed)).toBe(-1);
});
