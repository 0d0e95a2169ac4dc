// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the dialect of env files has these.
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder } from "../../test/mci.ts";
import { type EnvOptions, readEnv } from "./env.ts";

function envOf(
  files: Record<string, string>,
  options: Partial<EnvOptions> = {},
  processEnv: Record<string, string> = {},
) {
  const root = folder(files);
  const { values, sources } = readEnv(
    { file: join(root, "mci.json"), libraryDir: join(root, "lib"), ...options },
    { cwd: root, env: processEnv },
  );
  return { root, values, sources };
}

test("[C-env] .env files of the library folder and the project are read, and the project's wins", () => {
  expect(envOf({ "lib/.env": "A=lib\nB=lib", ".env": "B=root" }).values).toEqual({ A: "lib", B: "root" });
});

test("[C-env] one .env.mci anywhere puts every .env aside", () => {
  expect(envOf({ "lib/.env.mci": "A=lib", ".env": "A=root\nB=root" }).values).toEqual({ A: "lib" });
  expect(envOf({ ".env.mci": "A=own", "lib/.env": "B=lib" }).values).toEqual({ A: "own" });
  expect(envOf({ ".env.mci": "A=root", "lib/.env.mci": "A=lib\nB=lib" }).values).toEqual({
    A: "root",
    B: "lib",
  });
});

test("[C-env] the folder is the file's libraryDir, not always mci/", () => {
  expect(envOf({ "mci/.env": "A=mci", "lib/.env": "B=lib" }).values).toEqual({ B: "lib" });
});

test("[C-env] the process environment wins over files, --env over everything", () => {
  const { values } = envOf(
    { ".env": "A=file\nB=file\nC=file" },
    { assignments: ["A=option", "D=x=y"] },
    { A: "process", B: "process" },
  );
  expect(values).toEqual({ A: "option", B: "process", C: "file", D: "x=y" });
});

test("[C-env] a file given with --dotenv is read instead of the usual files, below the process environment", () => {
  const files = { ".env": "A=usual", ".env.mci": "A=usual", one: "A=1\nB=1", two: "B=2\nC=2" };
  const { values } = envOf(files, { envFiles: ["one", "two"] }, { C: "process" });
  expect(values).toEqual({ A: "1", B: "2", C: "process" });
});

test("[C-env] a value may use those of the process environment and of the files before", () => {
  const { values } = envOf(
    { "lib/.env": "BASE=/lib", ".env": "BIN=${BASE}/bin:${HOME}" },
    {},
    { HOME: "/home/me" },
  );
  expect(values.BIN).toBe("/lib/bin:/home/me");
});

test("where each variable comes from is known", () => {
  const { root, sources } = envOf({ ".env": "A=1\nB=1" }, { assignments: ["C=1"] }, { B: "2" });
  expect(Object.fromEntries(sources)).toEqual({ A: join(root, ".env"), B: "environment", C: "--env" });
});

test("an env file that was asked for must exist, and --env must be an assignment", () => {
  expect(() => envOf({}, { envFiles: ["nope"] })).toThrow(/^Env file not found: \/.*\/nope$/);
  expect(() => envOf({}, { assignments: ["A"] })).toThrow("--env cannot be 'A'");
  expect(() => envOf({}, { assignments: ["=x"] })).toThrow("--env cannot be '=x'");
});

test("a folder of that name, or none at all, is not a reason to stop", () => {
  expect(envOf({ ".env/x": "" }).values).toEqual({});
});
