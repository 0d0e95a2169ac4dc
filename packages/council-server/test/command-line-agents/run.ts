/**
 * Command-line agents as their users have them, with the council as their model: `npm run prove:agents -- [NAME…] [--in=FOLDER]`. The
 * name `python` stands for the tool loops of Python's openai and anthropic packages, which come from PyPI.
 *
 * Installs each from the npm registry into a temporary folder (or uses those of FOLDER), then runs them in a network namespace of their
 * own, in which only the loopback address exists. Each gets a small project with a mistake. The provider is scripted: it knows the right
 * actions and does something else in one of five calls. Exits with 1 if a project is not as it should be afterwards.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startFakeProvider } from "../../../fake-provider/src/server.ts";
import { AGENTS, type CommandLineAgent, type ProviderDialect, RIGHT, TOKEN, WRONG } from "./agents.ts";
import { installPython, PYTHON_PACKAGES, runPython } from "./python.ts";
import { startService } from "./service.ts";

/** A share of the samples that is wrong: a model alone would do three steps right in half of all tasks. */
const ACCURACY = 0.8;
const TIMEOUT_MS = 300_000;
const CHECK = `import assert from "node:assert";
import { sum } from "./sum.js";
assert.equal(sum(2, 3), 5);
`;
const INSIDE = "MCI_AGENTS_INSIDE";

const names = process.argv.slice(2).filter((arg) => !arg.startsWith("--"));
const given = process.argv.find((arg) => arg.startsWith("--in="))?.slice("--in=".length);
/** The first word is enough: `claude`. */
const shortName = (name: string) => name.toLowerCase().split(" ")[0]!;
const known = [...AGENTS.map(({ name }) => shortName(name)), "python"];
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0)
  throw new Error(`No such agent: ${unknown.join(", ")}. There are: ${known.join(", ")}`);
const isChosen = (name: string) => names.length === 0 || names.includes(shortName(name));
const chosen = AGENTS.filter(({ name }) => isChosen(name));
process.exitCode = process.env[INSIDE] ? await runAll() : installAndIsolate();

/** The agents, and then this program once more, where nothing but this machine can be reached. */
function installAndIsolate(): number {
  const folder = given ?? mkdtempSync(join(tmpdir(), "council-agents-"));
  try {
    if (given === undefined) {
      writeFileSync(join(folder, "package.json"), '{"private": true}');
      const packages = chosen.map((agent) => agent.package);
      console.log(`Installing ${[...packages, ...(isChosen("python") ? PYTHON_PACKAGES : [])].join(", ")}`);
      const flags = ["--no-audit", "--no-fund", "--loglevel=error"];
      if (packages.length > 0)
        execFileSync("npm", ["install", ...flags, ...packages], { cwd: folder, stdio: "inherit" });
      if (isChosen("python")) installPython(folder);
    }
    const inside = ["sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
    const program = [process.execPath, fileURLToPath(import.meta.url), ...names, `--in=${folder}`];
    const { status } = spawnSync("unshare", ["--map-root-user", "--net", ...inside, ...program], {
      stdio: "inherit",
      env: { ...process.env, [INSIDE]: "1" },
    });
    return status ?? 1;
  } finally {
    if (given === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function runAll(): Promise<number> {
  let failures = 0;
  for (const agent of chosen)
    for (const dialect of agent.dialects) {
      const { problems, ...seen } = await runAgent(agent, dialect);
      failures += problems.length;
      const end = problems.length === 0 ? "done" : "FAILED";
      console.log(`${end}  ${agent.package}, provider ${dialect}: ${JSON.stringify(seen)}`);
      for (const problem of problems) console.log(`  ${problem}`);
    }
  const problems = isChosen("python") ? await runPython(given!) : [];
  for (const problem of problems) console.log(`  ${problem}`);
  return failures + problems.length === 0 ? 0 : 1;
}

async function runAgent(agent: CommandLineAgent, dialect: ProviderDialect) {
  const folder = mkdtempSync(join(tmpdir(), "council-agent-"));
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  for (const one of [home, project]) mkdirSync(one);
  writeFileSync(join(project, "package.json"), '{"type": "module", "private": true}\n');
  writeFileSync(join(project, "sum.js"), WRONG);
  writeFileSync(join(project, "check.js"), CHECK);
  const provider = await startFakeProvider({
    key: "provider-key",
    dialect,
    models: ["scripted"],
    // Titles, topics and other requests beside the task.
    rules: [{ tools: false, reply: { kind: "text", text: "Correct a sum" } }],
  });
  const service = await startService(dialect, provider.url);
  const place = { home, project, url: service.url };
  provider.script({
    rules: [{ tools: false, reply: { kind: "text", text: "Correct a sum" } }],
    behaviour: {
      seed: 4,
      agent: {
        steps: agent.steps(place).map((call) => ({ calls: [call] })),
        accuracy: ACCURACY,
        reply: "The sum was a difference. The check passes now.",
      },
    },
  });
  try {
    const { args, env } = agent.configure(place);
    const began = performance.now();
    const output = await start(agent, args, { ...place, env });
    const runs = await stepsOf(service.url);
    const file = readFileSync(join(project, "sum.js"), "utf8");
    const check = spawnSync(process.execPath, ["check.js"], { cwd: project, encoding: "utf8" });
    const voted = runs.filter(({ calls }) => calls > 1);
    const outvoted = voted.filter(({ calls }) => calls > 3).length;
    return {
      seconds: Math.round((performance.now() - began) / 1000),
      steps: runs.length,
      voted: voted.length,
      contested: outvoted,
      calls: provider.stats.answered,
      sessions: new Set(voted.map(({ session }) => session)).size,
      problems: [
        ...(output.code === 0 ? [] : [`it ended with ${output.code}: ${output.text.slice(-2000)}`]),
        ...(file === RIGHT ? [] : [`sum.js is ${JSON.stringify(file)}`]),
        ...(check.status === 0 ? [] : [`the check says ${check.stderr.slice(-500)}`]),
        ...(voted.length === 4
          ? []
          : [`4 steps should have been voted on, not ${voted.length}: ${output.text.slice(-2000)}`]),
        ...(output.text.includes("The check passes now.")
          ? []
          : [`its last words are missing: ${output.text.slice(-2000)}`]),
      ],
    };
  } finally {
    await service.close();
    await provider.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function start(
  { command }: CommandLineAgent,
  args: readonly string[],
  {
    home,
    project,
    env,
  }: { readonly home: string; readonly project: string; readonly env: Readonly<Record<string, string>> },
): Promise<{ readonly code: number | null; readonly text: string }> {
  const path = [join(given!, "node_modules/.bin"), dirname(process.execPath), process.env["PATH"]].join(
    delimiter,
  );
  const child = spawn(command, args, {
    cwd: project,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: path,
      HOME: home,
      XDG_CONFIG_HOME: join(home, ".config"),
      XDG_DATA_HOME: join(home, ".local"),
      TMPDIR: tmpdir(),
      ...env,
    },
    timeout: TIMEOUT_MS,
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      text += chunk;
    });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, text };
}

interface Step {
  readonly calls: number;
  readonly session: string;
}

async function stepsOf(url: string): Promise<readonly Step[]> {
  const response = await fetch(`${url}/runs?tool=act&limit=100`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  return ((await response.json()) as { runs: Step[] }).runs;
}
