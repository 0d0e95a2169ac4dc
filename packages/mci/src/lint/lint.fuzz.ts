import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { Cases } from "../../../../test/cases.ts";
import { lintFile } from "./lint.ts";

const SECRET = "sk-live-4f9a81c2";
const env = { KEY: SECRET, PATH_OUT: "../out", NAME: `x${SECRET}y` };

/** `in` holds the file; `out` and the link to it are not the project's, and hold names that must appear nowhere. */
let made: string | undefined;
function root(): string {
  if (made !== undefined) return made;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "mci-fuzz-lint-")));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["in/lib", "in/pages", "out/pages", "out/lib"])
    mkdirSync(join(folder, name), { recursive: true });
  const foreign = '{"schemaVersion":"1.0","CANARY_KEY":1,"tools":[]}';
  for (const name of ["set.mci.json", "lib/set.mci.json", "keys.json"])
    writeFileSync(join(folder, "out", name), foreign);
  writeFileSync(join(folder, "out/pages/page.md"), "{{env.CANARY_KEY}} {{props.CANARY_KEY}}");
  writeFileSync(
    join(folder, "in/pages/page.md"),
    '{{env.A}} @include("../link/pages/page.md") @include("sub.md")',
  );
  writeFileSync(join(folder, "in/lib/set.mci.json"), '{"schemaVersion":"1.0","odd":1}');
  symlinkSync("../out", join(folder, "in/link"));
  made = folder;
  return folder;
}

const piece = fc.constantFrom(
  ..."/ .. . in out link lib pages page.md set keys.json set.mci.json ./ ../ ROOT {{env.KEY}} {{env.NAME}} {{env.PATH_OUT}} {{env.NONE|'link'}} {{props.a}}".split(
    " ",
  ),
  "@if(env.KEY)..@endif",
);
const path = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join("").replaceAll("ROOT", root()));
const permissions = { enableAnyPaths: fc.boolean(), directoryAllowList: fc.array(path, { maxLength: 2 }) };
const execution = fc.oneof(
  fc.record({ type: fc.constant("file"), path }),
  fc.record({ type: fc.constant("cli"), command: path, cwd: path }),
  fc.record({ type: fc.constant("http"), url: path, body: fc.record({ type: fc.constant("file"), path }) }),
  fc.record({ type: fc.constant("text"), text: path }),
);
const document = fc.record(
  {
    schemaVersion: fc.constant("1.0"),
    libraryDir: path,
    toolsets: fc.array(fc.oneof(path, fc.record({ name: path, ...permissions })), { maxLength: 3 }),
    tools: fc.array(
      fc.record(
        { name: fc.constantFrom("a", "b", "c"), execution, ...permissions },
        { requiredKeys: ["name", "execution"] },
      ),
      { maxLength: 4 },
    ),
    mcp_servers: fc.record({ s: fc.record({ command: path, args: fc.array(path, { maxLength: 2 }) }) }),
    ...permissions,
  },
  { requiredKeys: ["schemaVersion"] },
);

type Generated = typeof document extends fc.Arbitrary<infer T> ? T : never;

const cases = new Cases();

/** The document with each of its tools and toolsets alone, which is checked in a fraction of the time. */
function smaller({ tools = [], toolsets = [], mcp_servers, ...rest }: Generated): object[] {
  return [
    ...tools.map((tool) => ({ ...rest, tools: [tool] })),
    ...toolsets.map((toolset) => ({ ...rest, toolsets: [toolset] })),
    ...(mcp_servers === undefined ? [] : [{ ...rest, mcp_servers }]),
  ];
}

export default [
  {
    cases,
    name: "lint shows no value of env and nothing of files outside the project",
    property: fc.asyncProperty(document, async (generated) => {
      for (const one of cases.of([generated, ...smaller(generated)])) {
        const { problems, envs, commands } = await lintFile(join(root(), "in/mci.json"), {
          env,
          source: JSON.stringify(one),
        });
        const displayed = commands.map((use) => use.displayed);
        if (/sk-live|CANARY_KEY/.test(JSON.stringify([problems, envs, displayed]))) return false;
      }
      return true;
    }),
  },
];
