import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as fc from "fast-check";
import { ToolError } from "../../errors.ts";
import { TemplateCompiler } from "../../template/compile.ts";
import { DEFAULT_LIMITS } from "../executor.ts";
import { argumentText, compileArguments, renderArguments } from "./args.ts";
import { rejectOutsidePaths } from "./paths.ts";

const compile = new TemplateCompiler({ limits: DEFAULT_LIMITS, report: () => {} });

/** `base` is allowed; `base/link` leads to `outside`, which is not. Made on first use, in the temporary directory. */
let made: { readonly base: string; readonly outside: string } | undefined;
function folders(): { readonly base: string; readonly outside: string } {
  if (made !== undefined) return made;
  const root = realpathSync(mkdtempSync(join(tmpdir(), "mci-fuzz-")));
  process.once("exit", () => void rmQuietly(root));
  made = { base: join(root, "base"), outside: join(root, "outside") };
  mkdirSync(join(made.base, "data"), { recursive: true });
  mkdirSync(made.outside);
  writeFileSync(join(made.outside, "secret"), "s3cr3t");
  symlinkSync(made.outside, join(made.base, "link"));
  return made;
}

function rmQuietly(root: string): void {
  try {
    rmSync(root, { recursive: true, force: true });
  } catch {
    // The system cleans up.
  }
}

const piece = fc.constantFrom(
  ..."/ .. . data link secret outside - -- = : , ; @ < ~ $HOME a new".split(" "),
  "/etc/passwd",
  " ",
);
const value = fc.array(piece, { maxLength: 10 }).map((parts) => parts.join(""));

/** Compiled once. */
const PLANS = new Map(
  ["", "--in=", "data/", "@"].map((before) => [
    before,
    compileArguments({ type: "cli", command: "x", args: [`${before}{{props.x}}`] }, compile, []),
  ]),
);

/** The arguments, or undefined if they are refused. */
function argumentsOf(before: string, x: string): string[] | undefined {
  const { base } = folders();
  const plan = PLANS.get(before)!;
  const scope = { props: { x }, env: {}, absent: new Set<string>(), onEnv: () => {} };
  try {
    const items = renderArguments(plan, scope, (text) => text);
    rejectOutsidePaths(items, base, {
      paths: { baseDir: base, enableAnyPaths: false, directoryAllowList: [] },
    });
    return items.map(argumentText);
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

export default [
  {
    name: "arguments: a value is one argument, and never an option",
    property: fc.property(fc.oneof(value, fc.string()), (x) => {
      const items = argumentsOf("", x);
      return items === undefined || (items.length === 1 && items[0] === x && !x.startsWith("-"));
    }),
  },
  {
    name: "arguments: no argument that is accepted names the secret outside",
    property: fc.property(value, fc.constantFrom(...PLANS.keys()), (x, before) => {
      const [item] = argumentsOf(before, x) ?? [];
      if (item === undefined) return true;
      const { base, outside } = folders();
      return ![item, ...item.split(/[=:,;@<]/)].some((path) => {
        try {
          return realpathSync(resolve(base, path)).startsWith(outside);
        } catch {
          return false;
        }
      });
    }),
  },
];
