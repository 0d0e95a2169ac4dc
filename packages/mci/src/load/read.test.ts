import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { MCIClientError } from "../errors.ts";
import { readSource } from "./read.ts";

const dir = temporaryFolder(
  {
    "tools.mci.json": "{}",
    "tools.YML": "a: 1",
    "with bom.json": "\uFEFF{}",
    "notes.txt": "{}",
    README: "{}",
    "latin1.json": Buffer.from('{\n  "name": "caf\xe9"\n}', "latin1"),
    "utf16.json": Buffer.from("\uFEFF{}", "utf16le"),
    "large.json": " ".repeat(101),
  },
  afterAll,
);
mkdirSync(join(dir, "folder.json"));
const at = (name: string) => join(dir, name);
const failure = async (path: string | URL, options = {}) => {
  const error: unknown = await readSource(path, options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(MCIClientError);
  return error as MCIClientError;
};

describe("reading an MCI file", () => {
  test("[L-read] gives its text, its format by extension, and the path as named and absolute", async () => {
    expect(await readSource(at("tools.mci.json"))).toEqual({
      file: at("tools.mci.json"),
      path: at("tools.mci.json"),
      format: "json",
      text: "{}",
    });
    expect((await readSource(at("tools.YML"))).format).toBe("yaml");
  });

  test("accepts a file: URL, as a URL or as text, and drops a byte order mark", async () => {
    const url = pathToFileURL(at("with bom.json"));
    expect((await readSource(url)).text).toBe("{}");
    expect((await readSource(url.href)).path).toBe(at("with bom.json"));
  });

  test("[L-read-errors] a relative path that does not exist is reported with the place where it was looked for", async () => {
    const { message } = await failure("no-such/tools.json");
    expect(message).toBe(
      `Failed to load schema from no-such/tools.json: No such file or directory (looked at ${resolve("no-such/tools.json")})`,
    );
  });

  test.each([
    ["missing.json", "schema_not_found", "No such file or directory"],
    ["tool.mci.json", "schema_not_found", "No such file or directory. Did you mean 'tools.mci.json'?"],
    ["tools.mci.json/x.json", "schema_not_found", "No such file or directory"],
    ["folder.json", "schema_not_a_file", "Path is not a file, but a directory"],
    [".", "schema_not_a_file", "Path is not a file, but a directory"],
    [
      "notes.txt",
      "schema_extension",
      "Unsupported file extension '.txt'. Supported extensions: .json, .yaml, .yml",
    ],
    [
      "nowhere.txt",
      "schema_extension",
      "Unsupported file extension '.txt'. Supported extensions: .json, .yaml, .yml",
    ],
    ["README", "schema_extension", "Unsupported file extension ''. Supported extensions: .json, .yaml, .yml"],
  ])("[L-read-errors] %s: %s", async (name, code, reason) => {
    const error = await failure(at(name));
    expect(error.code).toBe(code);
    expect(error.message).toBe(`Failed to load schema from ${at(name)}: ${reason}`);
    expect(error.problems).toEqual([{ message: reason, file: at(name), severity: "error" }]);
  });

  test("text that is not UTF-8 is refused at the first bad byte", async () => {
    const error = await failure(at("latin1.json"));
    expect(error.code).toBe("schema_unreadable");
    expect(error.problems).toMatchObject([{ message: "The file is not valid UTF-8", line: 2, column: 15 }]);
    expect((await failure(at("utf16.json"))).message).toContain(
      "The file is UTF-16, not UTF-8 — save it as UTF-8",
    );
  });

  test("a file above the size limit is refused unread", async () => {
    const error = await failure(at("large.json"), { maxBytes: 100 });
    expect(error.code).toBe("schema_unreadable");
    expect(error.message).toContain("The file is larger than the limit of 100 bytes");
  });

  test.each(["", "a\0.json", undefined, 5, "file://elsewhere/x.json%00", "file:///%2fx.json"])(
    "%j is not a path at all",
    async (path) => {
      expect((await failure(path as string)).code).toBe("invalid_argument");
    },
  );

  test.skipIf(process.platform === "win32")("a pipe is refused without waiting for a writer", async () => {
    execFileSync("mkfifo", [at("pipe.json")]);
    expect((await failure(at("pipe.json"))).code).toBe("schema_not_a_file");
  });

  // Root may read everything, so there is nothing to refuse.
  test.skipIf(process.platform === "win32" || process.getuid?.() === 0)(
    "a file without permission",
    async () => {
      writeFileSync(at("secret.json"), "{}");
      chmodSync(at("secret.json"), 0);
      const error = await failure(at("secret.json"));
      expect(error.code).toBe("schema_unreadable");
      expect(error.message).toContain("Permission denied");
    },
  );
});
