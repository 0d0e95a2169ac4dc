import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { MCIClient } from "mci-ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { libraryPaths } from "../programs/programs.ts";
import { BATCH_MS, runScripts, type ScriptRun } from "../programs/run-script.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { asDocument } from "./fragment.ts";
import { type Block, type Page, readPages, root } from "./markdown.ts";
import { type Script, scriptsOf } from "./scripts.ts";

/*
 * The pages are checked by doing what they say.
 *
 * - json, yaml: a document, a tool or any other piece of an MCI file must load, without unknown keys.
 * - ts: must compile and run. A block without imports continues the block before it. What a comment behind
 *   console.log says, and what a block after `<!-- output -->` says, must be what is printed.
 * - `<!-- file: name -->` before a block: the page's example consists of such files, and scripts run beside them.
 * - `<!-- check: none, reason -->` before a block: it is something else.
 */

/**
 * In these pages every json or yaml block is a piece of an MCI file, and every script runs. Others show other data, too,
 * and may need a network: there only whole MCI files are loaded.
 */
const GUIDE =
  /^(docs\/(?:reference\/|guides\/)?(quickstart|file-format|file-format-execution|file-format-sources|execution-types|http|auth|templates|security|errors|results|toolsets-and-mcp|use-with|import|migrating-from-mci-py|migrating-from-mci-py-calls|api)|packages\/mci\/README)\.md$/;

const pages = readPages();
const checked = pages.filter((page) => piecesOf(page).length > 0 || runnable(page).length > 0);
const home = temporaryFolder({}, afterAll);

for (const page of pages) layOut(page);

let runs: Map<string, ScriptRun>;
beforeAll(async () => {
  const paths = checked.flatMap((page) => runnable(page).map(({ file }) => join(directoryOf(page), file)));
  runs = await runScripts(paths);
}, BATCH_MS);

test("pages that moved are still checked", () => {
  expect(pages.filter(({ path }) => GUIDE.test(path)).length).toBe(18);
});

describe.each(checked)("$path", (page) => {
  const directory = directoryOf(page);

  for (const block of piecesOf(page)) {
    test(`the ${block.language} block of line ${block.line} loads`, async () => {
      const piece: unknown = block.language === "json" ? JSON.parse(block.text) : parse(block.text);
      const document = asDocument(piece);
      const advice = 'Is it none of an MCI file? Put "<!-- check: none, why -->" before it.';
      if (document === undefined) throw new Error(`${page.path}:${block.line}: ${advice}`);
      const options = { validating: true, unknownKeys: "error" } as const;
      const isWholeFile = block.file !== undefined && document === piece;
      await (isWholeFile
        ? MCIClient.load(join(directory, block.file!), options)
        : MCIClient.fromObject(document, { ...options, baseDir: directory }));
    });
  }

  for (const script of runnable(page)) {
    test(`the script of line ${script.line} runs`, () => {
      const { code, stdout, stderr } = runs.get(join(directory, script.file))!;
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const printed = stdout.split("\n").filter((line) => script.expectedLines.includes(line));
      expect(printed, stdout).toEqual(script.expectedLines);
    });
  }
});

/** The compiler reads the whole library; on a busy machine that takes a while. */
const COMPILE_MS = 120_000;

test("the scripts of all pages compile", { timeout: COMPILE_MS }, () => {
  const settings = {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions: {
      noEmit: true,
      noUnusedLocals: false,
      typeRoots: [join(root, "node_modules/@types")],
      paths: {
        ...libraryPaths(),
        "@mci-ts/council": [join(root, "packages/council/src/index.ts")],
        "@mci-ts/fake-provider": [join(root, "packages/fake-provider/src/index.ts")],
      },
    },
    include: ["**/*.ts", join(root, "packages/mci/src/**/*.d.ts")],
  };
  writeFileSync(join(home, "tsconfig.json"), JSON.stringify(settings));
  writeFileSync(join(home, "package.json"), '{ "type": "module" }');
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  // Each further checker repeats much of the work of the first.
  const options = ["--pretty", "false", "--checkers", "1"];
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", home, ...options], {
    cwd: home,
    encoding: "utf8",
  });
  // Only the pages are judged here, and whether the compiler could work at all.
  expect(stdout.split("\n").filter((line) => line !== "" && !line.startsWith(".."))).toEqual([]);
});

function piecesOf({ path, blocks }: Page): Block[] {
  const isWhole = (text: string) => /^(schemaVersion|\s*"schemaVersion"):/m.test(text);
  return blocks.filter(
    ({ language, unchecked, text }) =>
      unchecked === undefined && ["json", "yaml"].includes(language) && (GUIDE.test(path) || isWhole(text)),
  );
}

function runnable(page: Page): Script[] {
  return GUIDE.test(page.path) ? scriptsOf(page) : [];
}

/** Writes a page's files and scripts into a directory of its own. */
function layOut(page: Page): void {
  const directory = directoryOf(page);
  mkdirSync(directory);
  const files = page.blocks.flatMap(({ file, text }) => (file === undefined ? [] : [{ file, text }]));
  for (const { file, text } of [...files, ...scriptsOf(page)]) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    writeFileSync(join(directory, file), text);
  }
}

function directoryOf({ path }: Page): string {
  return join(home, path.replaceAll("/", "."));
}
