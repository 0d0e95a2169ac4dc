import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { callsFile } from "./calls-file.ts";

test("stored calls are in the platform's folder for state, one file for each MCI file [UI-calls-stored]", () => {
  const [file, other] = ["/projects/a/mci.json", "/projects/b/mci.json"];
  expect(callsFile(file, { HOME: "/home/ada" }, "linux")).toMatch(
    /^\/home\/ada\/\.local\/state\/mci\/calls\/[0-9a-f]{24}\.db$/,
  );
  expect(callsFile(file, { XDG_STATE_HOME: "/s" }, "linux")).toMatch(/^\/s\/mci\/calls\//);
  expect(callsFile(file, { HOME: "/h" }, "darwin")).toContain("/h/Library/Application Support/mci");
  expect(callsFile(file, { HOME: "/h" }, "linux")).not.toBe(callsFile(other, { HOME: "/h" }, "linux"));
  expect(existsSync("/home/ada/.local")).toBe(false);
});
