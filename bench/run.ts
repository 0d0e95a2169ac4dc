/**
 *   npm run bench                     every suite
 *   npm run bench -- library mcp      some
 *   npm run bench -- guard            fails where something has grown by more than 15 % (guard/guard.ts)
 *   npm run bench -- --write          also replace the tables in bench/results.md
 *   npm run bench -- tasks --disks=20 one long task, of 1,048,575 steps instead of 131,071
 *
 * Ratios are measured side by side in one run; they say more than times, which change with the machine.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, platform, release, totalmem } from "node:os";
import { format } from "./format.ts";
import { guard } from "./guard/guard.ts";
import type { Suite } from "./suite.ts";

const SUITES: Record<string, () => Promise<{ suite: Suite }>> = {
  library: () => import("./suites/library.ts"),
  mcp: () => import("./suites/mcp.ts"),
  council: () => import("./suites/council.ts"),
  durability: () => import("./suites/durability.ts"),
  code: () => import("./suites/code.ts"),
  tokens: () => import("./suites/tokens.ts"),
  search: () => import("./suites/search.ts"),
  "agent-tasks": () => import("./suites/agent-tasks.ts"),
  "agent-words": () => import("./suites/agent-words.ts"),
  agents: () => import("./suites/agents.ts"),
  command: () => import("./suites/command.ts"),
  serve: () => import("./suites/serve.ts"),
  limiter: () => import("./suites/limiter.ts"),
  store: () => import("./suites/store.ts"),
  tasks: () => import("./suites/tasks.ts"),
  "task-scaling": () => import("./suites/task-scaling.ts"),
  "task-cost": () => import("./suites/task-cost.ts"),
  "task-instances": () => import("./suites/task-instances.ts"),
};

const HELP = `npm run bench                       every suite
npm run bench -- NAME…              some: ${Object.keys(SUITES).join(", ")}
npm run bench -- guard [--quick]    compares sizes and times with bench/guard/committed.json; fails where one has grown by more than 15 %
npm run bench -- guard --write      also replaces the committed numbers
npm run bench -- NAME… --write      also replaces the tables in bench/results.md
npm run bench -- tasks --disks=20   one long task, of 1,048,575 steps instead of 131,071`;

const args = process.argv.slice(2);
if (args.includes("--help") || args.includes("-h")) {
  console.log(HELP);
  process.exit(0);
}
const stray = args.filter(
  (arg) => arg.startsWith("-") && !/^--(?:write|quick|(?:disks|tasks|steps)=\d+)$/.test(arg),
);
if (stray.length > 0) {
  console.error(`Unknown option: ${stray.join(", ")}\n\n${HELP}`);
  process.exit(2);
}
const chosen = args.filter((arg) => !arg.startsWith("--"));
if (chosen[0] === "guard") process.exit((await guard(args)) ? 0 : 1);
const unknown = chosen.filter((name) => !(name in SUITES));
if (unknown.length > 0) {
  console.error(`No such suite: ${unknown.join(", ")}. There are: ${Object.keys(SUITES).join(", ")}`);
  process.exit(2);
}

const machine = `${cpus()[0]?.model.trim() ?? "unknown CPU"}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${release()}, Node ${process.version}`;
console.log(machine);

for (const name of chosen.length > 0 ? chosen : Object.keys(SUITES)) {
  const { suite } = await SUITES[name]!();
  console.log(`\n## ${suite.title}\n\n${suite.about}\n`);
  const table = format(await suite.run());
  console.log(table);
  if (args.includes("--write")) record(name, suite, table);
}

/** Each suite has its own part of the page, between two comments. */
function record(name: string, suite: Suite, table: string): void {
  const page = new URL("results.md", import.meta.url);
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const part = `${start}\n## ${suite.title}\n\n${suite.about}\n\nMeasured on ${new Date().toISOString().slice(0, 10)}: ${machine}\n\n${table}\n${end}`;
  const text = readFileSync(page, "utf8");
  const pattern = new RegExp(`${start}[\\s\\S]*?${end}`);
  writeFileSync(
    page,
    pattern.test(text) ? text.replace(pattern, () => part) : `${text.trimEnd()}\n\n${part}\n`,
  );
}
