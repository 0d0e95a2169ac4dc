import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { MCIClientError, ToolError } from "../../src/errors.ts";
import { inDirectory, workingDirectory } from "../../src/execute/cli/working-directory.ts";
import { DEFAULT_LIMITS } from "../../src/execute/executor.ts";
import { isOpenedAllowed, readAllowed } from "../../src/execute/file/read.ts";
import { realPath } from "../../src/execute/paths.ts";
import { lintFile, MCIClient } from "../../src/index.ts";
import { parseFile } from "../../src/load/parse/parse.ts";
import { loadToolsets } from "../../src/load/toolsets/load.ts";
import { TemplateCompiler } from "../../src/template/compile.ts";
import { INSIDE, OUTSIDE, type Swapper, startSwapper } from "./swapper.ts";

/** What was seen during the attempts: a race that is never refused and never succeeds proves nothing. */
export const seen = { inside: 0, refused: 0 };

let started: Promise<Swapper> | undefined;
export function swapper(): Promise<Swapper> {
  started ??= startSwapper((content) => ({
    "page.txt": content,
    "set.mci.json": JSON.stringify({
      schemaVersion: "1.0",
      tools: [{ name: content, execution: { type: "text", text: content } }],
    }),
  })).then((running) => {
    process.once("exit", running.stop);
    return running;
  });
  return started;
}

/** Until the next attempt nothing is swapped, which would slow other properties down. */
function end(): void {
  void started?.then(({ stop }) => stop());
  started = undefined;
  clients.clear();
}

function note(content: string): boolean {
  if (content === INSIDE) seen.inside++;
  return content !== OUTSIDE;
}

function refused(error: unknown): true {
  if (!(error instanceof ToolError || error instanceof MCIClientError)) throw error;
  seen.refused++;
  return true;
}

const clients = new Map<string, Promise<MCIClient>>();
/** One client for all attempts with the same document. */
async function clientOf(kind: string, tool: object): Promise<MCIClient> {
  const { base } = await swapper();
  const client =
    clients.get(kind) ??
    MCIClient.fromObject({ schemaVersion: "1.0", tools: [{ name: "t", ...tool }] }, { baseDir: base });
  clients.set(kind, client);
  return client;
}

const inputSchema = { type: "object", properties: { x: { type: "string" } } };
const names = fc.constantFrom("link", "folder", "./link", "link/../folder", "real/../link");

/** undefined in the moment in which the name does not exist. */
function openOrUndefined(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch {
    return undefined;
  }
}

const cwd = new TemplateCompiler({ limits: DEFAULT_LIMITS, report: () => {} }).text("{{props.x}}", []);

/** A command that reads its file at once, as a part of this process: a program of its own takes a millisecond to start. */
async function readInDirectory(x: string): Promise<boolean> {
  const { base } = await swapper();
  const paths = { baseDir: base, enableAnyPaths: false, directoryAllowList: [] };
  const scope = { props: { x }, env: {}, absent: new Set<string>(), onEnv: () => {} };
  try {
    const directory = workingDirectory(cwd, { paths, scope });
    return note(inDirectory(directory, (path) => readFileSync(join(path, "page.txt"), "utf8")));
  } catch (error) {
    return refused(error);
  }
}

const toolsets = { count: 0 };
/** Different spellings, so that each is looked for on its own. */
const SPELLINGS = ["", "./", "real/../", "./real/../"].flatMap((before) => [
  `${before}link`,
  `${before}folder`,
]);

/** Toolsets as a client reads them, without the rest of a client. */
async function readToolsets(base: string): Promise<boolean> {
  const references = SPELLINGS.map((name) => ({ name: `${name}/set` }));
  const { files, problems, diagnostics } = await loadToolsets(references, base, {
    parse: parseFile,
    mayRead: () => true,
  });
  toolsets.count += references.length;
  seen.refused += problems.length + diagnostics.length;
  return files.every(({ tools }) => tools.every(({ tool }) => note(tool.name)));
}

const PROPERTIES = [
  {
    name: "a link swapped between check and open leads no reader outside",
    property: fc.asyncProperty(names, async (name) => {
      const { base } = await swapper();
      const paths = { baseDir: base, enableAnyPaths: false, directoryAllowList: [] };
      try {
        return note(
          (await readAllowed(`${name}/page.txt`, { paths, limits: DEFAULT_LIMITS })).bytes.toString(),
        );
      } catch (error) {
        return refused(error);
      }
    }),
  },
  {
    name: "a link swapped twice leads no reader outside on systems that do not tell what was opened",
    property: fc.asyncProperty(names, async (name) => {
      const { base } = await swapper();
      const rules = { baseDir: base, enableAnyPaths: false, directoryAllowList: [] };
      const path = join(base, name, "page.txt");
      const { real } = realPath(path);
      if (!real.startsWith(base)) return refused(new ToolError("path_refused", ""));
      // As an attacker would have it who swaps the folder itself: the name leads wherever the link leads when it is opened.
      const fd = openOrUndefined(path);
      if (fd === undefined) return true;
      try {
        const isAllowed = isOpenedAllowed(fd, path, rules, undefined);
        return isAllowed ? note(readFileSync(fd, "utf8")) : refused(new ToolError("path_refused", ""));
      } finally {
        closeSync(fd);
      }
    }),
  },
  {
    name: "a link swapped between check and start leads no command outside",
    property: fc.asyncProperty(names, fc.nat({ max: 49 }), async (x, turn) => {
      if (turn > 0) return readInDirectory(x);
      const execution = { type: "cli", command: "cat", args: ["page.txt"], cwd: "{{props.x}}" };
      const client = await clientOf("cli", { inputSchema, execution });
      const { text, isError, metadata } = await client.execute("t", { x });
      if (!isError) return note(text);
      if (metadata["error_code"] === "path_refused") seen.refused++;
      return !text.includes(OUTSIDE);
    }),
  },
  {
    name: "a link swapped between check and open leads no toolset and no lint outside",
    cases: toolsets,
    property: fc.asyncProperty(fc.nat({ max: 29 }), fc.constantFrom("link", "folder"), async (turn, name) => {
      const { base } = await swapper();
      if (turn > 1) return readToolsets(base);
      toolsets.count++;
      const isLint = turn === 1;
      const document = { schemaVersion: "1.0", libraryDir: ".", toolsets: [`${name}/set`] };
      try {
        if (isLint) {
          const source = JSON.stringify({ ...document, libraryDir: name, toolsets: ["set"] });
          const { envs, problems, files } = await lintFile(join(base, "mci.json"), { source });
          return !JSON.stringify([envs, problems, files]).includes(OUTSIDE);
        }
        const client = await MCIClient.fromObject(document, { baseDir: base });
        const [tool] = client.tools();
        await client.close();
        return note(tool?.name ?? "");
      } catch (error) {
        return refused(error);
      }
    }),
  },
];

export default PROPERTIES.map((one) => ({ ...one, end }));
