import { describe, expect, test } from "vitest";
import { batchCommandLine, findWindowsProgram, isBatchFile, variable } from "./windows.ts";

const FILES = new Set([
  "C:\\tools\\npm.CMD",
  "C:\\tools\\git.exe",
  "C:\\tools\\both.COM",
  "C:\\tools\\both.EXE",
  "D:\\project\\run.bat",
  "D:\\project\\git.exe",
  "D:\\project\\bin\\x.EXE",
]);
const env = { Path: 'C:\\nothing;"C:\\tools"', PATHEXT: ".COM;.EXE;.BAT;.CMD" };
const isFile = (path: string) => [...FILES].some((file) => file.toLowerCase() === path.toLowerCase());

describe("finding a program on Windows", () => {
  test.each([
    ["npm", "C:\\tools\\npm.CMD"],
    ["git", "C:\\tools\\git.EXE"],
    ["git.exe", "C:\\tools\\git.exe"],
    ["both", "C:\\tools\\both.COM"],
    ["bin/x", "D:\\project\\bin\\x.EXE"],
    [".\\run.bat", "D:\\project\\run.bat"],
    ["D:\\project\\bin\\x.exe", "D:\\project\\bin\\x.exe"],
    ["run", undefined],
    ["missing", undefined],
    ["bin/missing", undefined],
  ])("%s is %s [P-windows]", (command, expected) => {
    expect(findWindowsProgram(command, "D:\\project", env, isFile)).toBe(expected);
  });

  test("works without PATH and PATHEXT", () => {
    expect(findWindowsProgram("git", "D:\\project", {}, isFile)).toBeUndefined();
    expect(findWindowsProgram(".\\bin\\x", "D:\\project", {}, isFile)).toBe("D:\\project\\bin\\x.EXE");
  });
});

test.each([
  ["x.bat", true],
  ["C:\\a\\x.CMD", true],
  ["x.cmd. ", true],
  ["x.exe", false],
  ["x.bat.exe", false],
  ["cmd", false],
])("%j is a batch file: %s", (path, expected) => {
  expect(isBatchFile(path)).toBe(expected);
});

describe("the command line of a batch file", () => {
  test.each([
    [["a", "b c"], '""C:\\x y\\z.cmd" "a" "b c""'],
    [["a&calc", "a|b", "^", "<>", "(x)", "!v!"], '""C:\\x y\\z.cmd" "a&calc" "a|b" "^" "<>" "(x)" "!v!""'],
    [["dir\\", "a\\b"], '""C:\\x y\\z.cmd" "dir\\\\" "a\\b""'],
    [[""], '""C:\\x y\\z.cmd" """'],
  ])("quotes %j so that cmd.exe sees no syntax [P-windows]", (args, expected) => {
    expect(batchCommandLine("C:\\x y\\z.cmd", args)).toBe(expected);
  });

  test.each(['a"b', "%PATH%", "100%", "a\nb", "a\rb", "a\0b"])(
    "is not made with %j, which nothing can escape",
    (arg) => {
      expect(batchCommandLine("z.cmd", [arg])).toBeUndefined();
    },
  );
});

test("names of variables have no case", () => {
  expect(variable({ ComSpec: "cmd" }, "COMSPEC")).toBe("cmd");
  expect(variable({}, "COMSPEC")).toBeUndefined();
});
