import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Task } from "./adapter.ts";
import type { Case, Expectation, FileContent } from "./case.ts";
import { fill, type SharedPlaces } from "./places.ts";

/** A case put into a folder of its own, every placeholder filled in. */
export interface Staged {
  readonly task: Task;
  /** About loading. */
  readonly expect: Expectation;
  /** About each call. */
  readonly expectCalls: readonly Expectation[];
  remove(): void;
}

/** Name of the one tool of a case that gives only a template or an execution. */
const TOOL = "t";

export function stage(written: Case, world: SharedPlaces): Staged {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), "mci-case-")));
  const dir = join(parent, "case");
  const filled = fill(written, { ...world, $DIR: dir, $PARENT: parent });
  const file = join(dir, filled.entry ?? "tools.mci.json");
  mkdirSync(dir);
  for (const [path, content] of Object.entries(filled.files ?? {})) write(join(dir, path), content);
  const document = documentOf(filled);
  if (document !== undefined) write(file, { json: document });

  const { env = {}, load = {}, filter = {}, expect = {} } = filled;
  const calls = callsOf(filled);
  return {
    task: {
      file,
      env,
      load,
      filter,
      calls: calls.map(({ tool = TOOL, properties = {} }) => ({ tool, properties })),
    },
    expect,
    expectCalls: calls.map((call) => call.expect),
    remove: () => rmSync(parent, { recursive: true, force: true }),
  };
}

function documentOf({ document, template, execution, inputSchema }: Case): unknown {
  if (document !== undefined) return document;
  const only = template === undefined ? execution : { type: "text", text: template };
  if (only === undefined) return undefined;
  const tool = { name: TOOL, ...(inputSchema === undefined ? {} : { inputSchema }), execution: only };
  return { schemaVersion: "1.0", tools: [tool] };
}

/** A case in short makes one call, unless its file is not to be loaded. */
function callsOf(filled: Case): NonNullable<Case["calls"]> {
  const { template, execution, call, calls, props, expect = {} } = filled;
  if (calls !== undefined) return calls;
  if (call !== undefined) return [{ ...call, expect }];
  const isShort = template !== undefined || execution !== undefined;
  return isShort && expect.loadFails === undefined ? [{ properties: props, expect }] : [];
}

function write(path: string, content: FileContent): void {
  mkdirSync(dirname(path), { recursive: true });
  if (typeof content === "string") writeFileSync(path, content);
  else if ("json" in content) writeFileSync(path, `${JSON.stringify(content.json, null, 2)}\n`);
  else if ("base64" in content) writeFileSync(path, Buffer.from(content.base64, "base64"));
  else if ("symlink" in content) symlinkSync(content.symlink, path);
  else mkdirSync(path, { recursive: true });
}
