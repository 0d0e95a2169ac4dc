import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { failure, makeTool, textOf } from "../../../test/execute/call.ts";
import { TemplateCompiler } from "../../template/compile.ts";
import { loadJinja } from "../../template/jinja/load.ts";
import { DEFAULT_LIMITS } from "../executor.ts";
import { file } from "./file.ts";

const SENTENCE =
  "File path access outside context directory and allow-list is not allowed unless enableAnyPaths is true. Path: ";
const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

const reader = (baseDir: string, execution: object = {}) =>
  makeTool(file, { type: "file", path: "{{props.path}}", ...execution }, baseDir);
const read = (baseDir: string, path: string, execution: object = {}) =>
  reader(baseDir, execution).run({ props: { path } });

describe("a file tool", () => {
  test("reads beside the MCI file, not in the process's directory [F-base]", async () => {
    const dir = temporaryFolder();
    mkdirSync(join(dir, "docs"));
    writeFileSync(join(dir, "docs/note.txt"), "hello\n");
    const outcome = await read(dir, "./docs/note.txt");
    expect(outcome).toEqual({ content: [{ type: "text", text: "hello\n" }], metadata: { bytes: 6 } });
    // The file exists where the tests run, but not beside the MCI file.
    expect((await failure(read(dir, "package.json"))).message).toBe(
      `File not found: package.json (looked at ${join(dir, "package.json")})`,
    );
  });

  test("renders the file as a template by default, and returns it unchanged without templating [F-templating]", async () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, "t.txt"), "Hi {{props.name}}, {{env.CITY}}");
    const call = { props: { path: "t.txt", name: "Ada {{env.CITY}}" }, env: { CITY: "Turin" } };
    expect(textOf(await reader(dir).run(call))).toBe("Hi Ada {{env.CITY}}, Turin");
    expect(textOf(await reader(dir, { enableTemplating: false }).run(call))).toBe(
      "Hi {{props.name}}, {{env.CITY}}",
    );
  });

  test("gives each call its own path, and leaves the execution as it was", async () => {
    const dir = temporaryFolder();
    for (const name of ["one", "two"]) writeFileSync(join(dir, name), name);
    const execution = Object.freeze({ type: "file" as const, path: "{{props.path}}" });
    const tool = makeTool(file, execution, dir);
    expect(textOf(await tool.run({ props: { path: "one" } }))).toBe("one");
    expect(textOf(await tool.run({ props: { path: "two" } }))).toBe("two");
  });

  test("sees a changed file at once, even one of the same size and date", async () => {
    const dir = temporaryFolder();
    const tool = reader(dir);
    for (const text of ["a{{props.x}}", "b{{props.x}}", "b{{props.x}}"]) {
      writeFileSync(join(dir, "t"), text);
      expect(textOf(await tool.run({ props: { path: "t", x: 1 } }))).toBe(`${text[0]}1`);
    }
  });

  test("includes files relative to the including file, and notices when they change [F-include]", async () => {
    const dir = temporaryFolder();
    mkdirSync(join(dir, "parts"));
    writeFileSync(join(dir, "page.txt"), 'top @include("parts/a.txt") end');
    writeFileSync(join(dir, "parts/a.txt"), '[{{props.x}} @include("b.txt")]');
    writeFileSync(join(dir, "parts/b.txt"), "b1");
    const tool = reader(dir);
    const call = (x: string) => tool.run({ props: { path: "page.txt", x } });
    expect(textOf(await call("1"))).toBe("top [1 b1] end");
    writeFileSync(join(dir, "parts/b.txt"), "b2");
    expect(textOf(await call("2"))).toBe("top [2 b2] end");
    expect(textOf(await call("3"))).toBe("top [3 b2] end");
  });

  test("includes nothing from outside the allowed directories [F-include]", async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, "base"));
    writeFileSync(join(root, "secret"), "secret");
    symlinkSync("../secret", join(root, "base/link"));
    for (const target of ["../secret", join(root, "secret"), "link"]) {
      writeFileSync(join(root, "base/page.txt"), `@include("${target}")`);
      expect((await failure(read(join(root, "base"), "page.txt"))).message).toBe(SENTENCE + target);
    }
    writeFileSync(join(root, "base/page.txt"), '@include("missing.txt")');
    expect((await failure(read(join(root, "base"), "page.txt"))).message).toBe(
      `File not found: missing.txt (looked at ${join(root, "base/missing.txt")})`,
    );
  });
});

describe("what goes wrong inside a template file", () => {
  test("is reported with the file and the line [F-place]", async () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, "t.txt"), "one\ntwo {{props.missing}}\n");
    const missing = await failure(read(dir, "t.txt"));
    expect(missing.message).toContain("Template variable not found: props.missing");
    expect(missing.message).toContain("t.txt, line 2");
    writeFileSync(join(dir, "t.txt"), "one\n@if(props.x)\n");
    const unclosed = await failure(read(dir, "t.txt"));
    expect([unclosed.code, unclosed.message]).toEqual([
      "template_syntax",
      expect.stringContaining("t.txt, line 2"),
    ]);
  });

  test("is reported when files include each other [F-include]", async () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, "a.txt"), '@include("b.txt")');
    writeFileSync(join(dir, "b.txt"), '@include("./a.txt")');
    expect((await failure(read(dir, "a.txt"))).code).toBe("template_syntax");
  });
});

test("a file tool may speak Jinja, and the same file another language elsewhere [F-engine]", async () => {
  const dir = temporaryFolder();
  writeFileSync(join(dir, "t.txt"), "{% for x in props.xs %}{{ x }};{% endfor %}");
  const jinja = new TemplateCompiler({ limits: DEFAULT_LIMITS, jinja: await loadJinja(), report: () => {} });
  const execution = { type: "file" as const, path: "t.txt", templateEngine: "jinja2" as const };
  expect(textOf(await makeTool(file, execution, dir, jinja).run({ props: { xs: [1, 2] } }))).toBe("1;2;");
});

describe("what a file tool refuses", () => {
  test("a missing file is named as it was given, and where it was looked for [C-result]", async () => {
    const dir = temporaryFolder();
    const missing = join(dir, "missing.txt");
    const error = await failure(read(dir, "./a/../missing.txt"));
    expect([error.code, error.message]).toEqual([
      "file_not_found",
      `File not found: ./a/../missing.txt (looked at ${missing})`,
    ]);
    expect((await failure(read(dir, missing))).message).toBe(`File not found: ${missing}`);
  });

  test("a path that renders to nothing", async () => {
    const error = await failure(reader(temporaryFolder()).run({ props: {}, absent: ["path"] }));
    expect([error.code, error.message]).toEqual([
      "invalid_config",
      "The path is empty: '{{props.path}}' gave nothing.",
    ]);
    expect((await failure(read(temporaryFolder(), ""))).code).toBe("invalid_config");
  });

  test("a file below a file does not exist", async () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, "f"), "");
    expect((await failure(read(dir, "f/x"))).code).toBe("file_not_found");
  });

  test("directories, FIFOs, sockets and devices are not files, and none of them makes it wait [F-utf8]", async () => {
    const dir = temporaryFolder();
    mkdirSync(join(dir, "folder"));
    execFileSync("mkfifo", [join(dir, "fifo")]);
    const server = createServer().listen(join(dir, "socket"));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const tool = reader(dir);
    for (const path of ["folder", "fifo", "socket", "/dev/zero", "/dev/tty"]) {
      const error = await failure(tool.run({ props: { path }, paths: { enableAnyPaths: true } }));
      expect([error.code, error.message]).toEqual(["file_not_a_file", `Path is not a file: ${path}`]);
    }
  });

  test.skipIf(process.getuid?.() === 0)(
    "a file without read permission is named, with the reason",
    async () => {
      const dir = temporaryFolder();
      writeFileSync(join(dir, "closed"), "x");
      chmodSync(join(dir, "closed"), 0);
      const error = await failure(read(dir, "closed"));
      expect([error.code, error.message]).toEqual([
        "file_unreadable",
        "File cannot be read (permission denied): closed",
      ]);
    },
  );

  test("a loop of links cannot be read", async () => {
    const dir = temporaryFolder();
    symlinkSync("b", join(dir, "a"));
    symlinkSync("a", join(dir, "b"));
    expect((await failure(read(dir, "a"))).code).toBe("file_not_a_file");
  });

  test("a file above the limit is not read, however it hides its size", async () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, "big"), "x".repeat(1001));
    writeFileSync(join(dir, "fits"), "x".repeat(1000));
    const limits = { maxFileBytes: 1000 };
    const error = await failure(reader(dir).run({ props: { path: "big" }, limits }));
    expect([error.code, error.message]).toEqual([
      "file_too_large",
      "File is larger than 1000 bytes: big. Raise the limit maxFileBytes, or read a smaller file.",
    ]);
    expect(textOf(await reader(dir).run({ props: { path: "fits" }, limits }))).toHaveLength(1000);
  });

  test.runIf(process.platform === "linux")(
    "files of /proc are read to their end, and only to the limit",
    async () => {
      const tool = reader(temporaryFolder(), { enableTemplating: false });
      const any = { enableAnyPaths: true };
      const path = "/proc/self/maps";
      expect(textOf(await tool.run({ props: { path }, paths: any }))).toContain("[heap]");
      expect(
        (await failure(tool.run({ props: { path }, paths: any, limits: { maxFileBytes: 100 } }))).code,
      ).toBe("file_too_large");
    },
  );

  test.runIf(process.platform === "linux")(
    "nothing outside is ever returned while a folder is being swapped for a link [F-base]",
    async () => {
      const root = temporaryFolder();
      for (const folder of ["base/data", "outside"]) mkdirSync(join(root, folder), { recursive: true });
      writeFileSync(join(root, "base/data/f"), "inside");
      writeFileSync(join(root, "outside/f"), "OUTSIDE");
      symlinkSync(join(root, "outside"), join(root, "base/link"));
      const swap = `const { renameSync: mv } = require("node:fs"); process.chdir(process.argv[1]); process.stdout.write("ready");
      for (;;) { mv("data", "kept"); mv("link", "data"); mv("data", "link"); mv("kept", "data"); }`;
      const swapper = spawn(process.execPath, ["-e", swap, join(root, "base")], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const gone = new Promise((resolve) => swapper.once("exit", resolve));
      await new Promise((resolve) => swapper.stdout.once("data", resolve));
      const tool = reader(join(root, "base"));
      const seen = new Map<string, number>();
      // Without the check behind the race, a few in a thousand would be outside.
      const isEnough = () => ["inside", "path_refused"].every((outcome) => (seen.get(outcome) ?? 0) >= 800);
      for (const until = Date.now() + 10_000; Date.now() < until && !isEnough(); ) {
        const outcome = await tool.run({ props: { path: "data/f" } }).then(textOf, (error) => error.code);
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      }
      swapper.kill("SIGKILL");
      await gone;
      expect([...seen.keys()]).toContain("inside");
      expect([...seen.keys()]).toContain("path_refused");
      expect([...seen.keys()]).not.toContain("OUTSIDE");
    },
  );
});

describe("what a file holds", () => {
  test("is text only if it is UTF-8; a byte order mark is not part of it [F-utf8]", async () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, "bom"), "\ufeffgrün");
    writeFileSync(join(dir, "latin1"), Buffer.from("grün", "latin1"));
    writeFileSync(join(dir, "utf16"), Buffer.from("\ufeffhello", "utf16le"));
    writeFileSync(join(dir, "empty"), "");
    expect(textOf(await read(dir, "bom"))).toBe("grün");
    expect(textOf(await read(dir, "empty"))).toBe("");
    for (const path of ["latin1", "utf16"]) {
      const error = await failure(read(dir, path));
      expect([error.code, error.message]).toEqual([
        "file_not_text",
        `File is neither UTF-8 text nor an image or audio: ${path}`,
      ]);
    }
  });

  test.each([
    ["picture", PNG, "image", "image/png"],
    ["photo.txt", Buffer.from("ffd8ffe000104a464946", "hex"), "image", "image/jpeg"],
    ["silence", Buffer.from("RIFF\x24\0\0\0WAVEfmt \x10\0\0\0", "latin1"), "audio", "audio/wav"],
    ["song.MP3", Buffer.from("fffb9064", "hex"), "audio", "audio/mpeg"],
    ["odd.flac", Buffer.from("00ff00ff", "hex"), "audio", "audio/flac"],
  ])(
    "%s becomes an item of its own and is never a template [F-utf8]",
    async (name, bytes, type, mimeType) => {
      const dir = temporaryFolder();
      writeFileSync(join(dir, name), bytes);
      const outcome = await read(dir, name);
      expect(outcome.content).toEqual([{ type, mimeType, data: bytes.toString("base64") }]);
    },
  );

  test("is text although it begins like an image or audio", async () => {
    const dir = temporaryFolder();
    for (const text of ["GIF89a is a format", "ID3 tags", "fLaC", "RIFF1234WAVE", "<svg/>"]) {
      writeFileSync(join(dir, "x.png"), text);
      expect(textOf(await read(dir, "x.png"))).toBe(text);
    }
  });
});

test("fifty files at once are read, and no handle stays open", async () => {
  const dir = temporaryFolder();
  for (let i = 0; i < 50; i++) writeFileSync(join(dir, `f${i}`), `${i}:{{props.path}}`);
  const tool = reader(dir);
  const handles = () => readdirSync("/proc/self/fd").length;
  const before = process.platform === "linux" ? handles() : 0;
  const names = Array.from({ length: 50 }, (_, i) => `f${i}`);
  const texts = await Promise.all(names.map(async (path) => textOf(await tool.run({ props: { path } }))));
  expect(texts).toEqual(names.map((name, i) => `${i}:${name}`));
  await Promise.all(names.map((path) => failure(tool.run({ props: { path }, limits: { maxFileBytes: 1 } }))));
  if (process.platform === "linux") expect(handles()).toBeLessThanOrEqual(before);
});
