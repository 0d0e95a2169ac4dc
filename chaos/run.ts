/**
 * Three instances in bad weather: `npm run chaos -- [--minutes 5] [--faults a,b] [--seed 1] [--write]`.
 *
 * A real PostgreSQL with a streaming replica (installed, or the embedded one without a replica), pgbouncer where installed, and three
 * service processes. Only the model provider is simulated. Faults strike one after the other while clients start tasks and runs; then
 * everything must come to its end, and `checks.ts` compares what clients were told with what the service says. A seed repeats the
 * faults and their order; how they meet the load differs from run to run.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, platform, release, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { runCampaign } from "./campaign.ts";
import { FAULTS } from "./faults.ts";
import { createProgress } from "./progress.ts";
import { toMarkdown } from "./report.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    faults: { type: "string" },
    seed: { type: "string" },
    write: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

if (values.help) {
  console.log(`npm run chaos -- [--minutes 5] [--faults a,b] [--seed 1] [--write]

  --minutes <n>   How long faults strike. Default 5.
  --faults <list> Only these, by name. Default: all that this machine can do.
  --seed <n>      Repeats the faults of an earlier run. Default: drawn.
  --write         Replaces the table in bench/results.md.

Faults:
${FAULTS.map(({ name, about }) => `  ${name.padEnd(24)} ${about}`).join("\n")}`);
  process.exit(0);
}

const wanted = values.faults?.split(",").map((name) => name.trim());
const unknown = wanted?.filter((name) => !FAULTS.some((fault) => fault.name === name)) ?? [];
const minutes = Number(values.minutes);
const seed = values.seed === undefined ? Math.floor(Math.random() * 1e6) : Number(values.seed);
if (unknown.length > 0 || !(minutes > 0) || !Number.isInteger(seed)) {
  console.error(
    unknown.length > 0
      ? `No such fault: ${unknown.join(", ")}. There are: ${FAULTS.map(({ name }) => name).join(", ")}`
      : "--minutes is a number above 0, --seed a whole number.",
  );
  process.exit(2);
}

// The built service, as users start it.
const manifest = createRequire(import.meta.url).resolve("@mci-ts/council-server/package.json");
const command = [process.execPath, join(dirname(manifest), "bin/mci-council.cjs")];
const machine = `${cpus()[0]?.model.trim() ?? "unknown CPU"}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${release()}, Node ${process.version}`;
console.log(`seed ${seed}; ${machine}`);

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

const progress = createProgress(minutes * 60);
const result = await runCampaign({
  command,
  faults: FAULTS.filter(({ name }) => wanted === undefined || wanted.includes(name)),
  seconds: minutes * 60,
  seed,
  progress: progress.show,
});
progress.end();
const report = toMarkdown(result, { seed, minutes, machine });
console.log(`\n${report}`);
if (values.write) record(report);
if (result.violations.length > 0) console.log(`\nLogs: ${result.folder}`);
process.exitCode = result.violations.length > 0 ? 1 : 0;

function record(part: string): void {
  const page = new URL("../bench/results.md", import.meta.url);
  const text = readFileSync(page, "utf8");
  const [start, end] = ["<!-- chaos -->", "<!-- /chaos -->"];
  const pattern = new RegExp(`${start}[\\s\\S]*?${end}`);
  const marked = `${start}\n${part}\n${end}`;
  writeFileSync(
    page,
    pattern.test(text) ? text.replace(pattern, () => marked) : `${text.trimEnd()}\n\n${marked}\n`,
  );
}
