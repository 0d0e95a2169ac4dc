import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { maskVariables, type SavedTest } from "@mci-ts/console/tools";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { testsFile } from "../project/tests-file.ts";
import { saveTest } from "./save-test.ts";

const mask = maskVariables({ KEY: "s3cret-key" }, ["KEY"]);

function project(): string {
  const dir = temporaryFolder();
  return join(dir, "tools.mci.json");
}

const greeting = (name: string, text: string): SavedTest => ({
  tool: "greet",
  input: { name },
  expect: { isError: false, content: [{ type: "text", text }] },
});

test("tests are beside the file, one for each input; what a person added to one stays [UI-saved-tests]", async () => {
  const file = project();
  const path = testsFile(file);
  expect(path).toMatch(/[\\/]tools\.mci\.tests\.json$/);
  expect(testsFile("/a/mci.yaml")).toMatch(/mci\.tests\.json$/);
  await Promise.all(["Ada", "Bob"].map((name) => saveTest(file, greeting(name, "Hello"), mask)));
  const tests = JSON.parse(readFileSync(path, "utf8")) as SavedTest[];
  writeFileSync(path, JSON.stringify(tests.map((each) => ({ about: "By hand", ...each }))));
  expect(await saveTest(file, greeting("Ada", "Howdy"), mask)).toEqual({ path, tests: 2 });
  expect(JSON.parse(readFileSync(path, "utf8"))).toContainEqual({
    about: "By hand",
    ...greeting("Ada", "Howdy"),
  });
});

test("a value of a variable, in whatever form, is never written; a file that is not a list of tests stays as it is [UI-saved-tests]", async () => {
  const file = project();
  const forms = ["s3cret-key", btoa("s3cret-key"), encodeURIComponent("s3cret-key")];
  for (const form of forms) {
    const refused = expect.objectContaining({ code: "secret_in_test" });
    await expect(saveTest(file, greeting("Ada", `with ${form}`), mask)).rejects.toEqual(refused);
    await expect(saveTest(file, greeting(form, "Hello"), mask)).rejects.toEqual(refused);
  }
  await expect(saveTest(file, greeting("Ada", "x".repeat(300_000)), mask)).rejects.toThrow("too many");
  expect(existsSync(testsFile(file))).toBe(false);
  for (const text of ["{}", "[1,", "not JSON"]) {
    writeFileSync(testsFile(file), text);
    await expect(saveTest(file, greeting("Ada", "Hello"), mask)).rejects.toThrow("is left as it is");
    expect(readFileSync(testsFile(file), "utf8")).toBe(text);
  }
});
