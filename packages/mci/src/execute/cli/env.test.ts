import { expect, test } from "vitest";
import { childEnvironment } from "./env.ts";

const PROCESS = {
  PATH: "/bin",
  HOME: "/home/a",
  LANG: "C",
  LC_ALL: "C",
  TMPDIR: "/t",
  AWS_SECRET_KEY: "s",
  USER: "a",
};

test("a child gets path, home, locale and temp variables, and nothing else of ours [C-env]", () => {
  expect(childEnvironment(PROCESS, [], [], "linux")).toEqual({
    PATH: "/bin",
    HOME: "/home/a",
    LANG: "C",
    LC_ALL: "C",
    TMPDIR: "/t",
  });
});

test("inherited variables come over these, and its own over all", () => {
  const environment = childEnvironment(
    PROCESS,
    [
      ["LANG", "de"],
      ["USER", "b"],
    ],
    [
      ["USER", "c"],
      ["X", "1"],
    ],
    "linux",
  );
  expect(environment).toMatchObject({ LANG: "de", USER: "c", X: "1" });
});

test("on Windows a child gets what programs there cannot do without, and names have no case [P-windows]", () => {
  const environment = childEnvironment(
    { PATH: "C:\\Windows", SystemRoot: "C:\\Windows", PATHEXT: ".EXE", SECRET: "s" },
    [],
    [["Path", "D:\\bin"]],
    "win32",
  );
  expect(environment).toEqual({ Path: "D:\\bin", SystemRoot: "C:\\Windows", PATHEXT: ".EXE" });
});
