/**
 * Runs the property-based tests for longer than the suite does: `npm run fuzz -- [SECONDS] [NAME] [ATTEMPTS]`.
 *
 * Every `*.fuzz.ts` file exports a list of properties. The time (60 s unless given) is divided among those whose name
 * contains NAME; with ATTEMPTS a property ends after that many, if its time lasts. Failures found earlier (fuzz/corpus.json) are replayed first; a new one is added there, so that it is
 * never lost, and the command exits with 1.
 *
 * With `--counts FILE` the attempts of several runs are added up in FILE: the properties take turns of a few seconds, those
 * that need the least time for ATTEMPTS first, and one that has them there already is left out.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { FuzzCounts } from "./fuzz-counts.ts";
import { PACKAGE_SOURCES } from "./package-sources.ts";

export interface FuzzProperty {
  readonly name: string;
  readonly property: fc.IRawProperty<unknown>;
  /** Where one run checks several inputs: how many there have been. Default: each run is one. */
  readonly cases?: { readonly count: number };
  /** Ends what works against the property, until it runs again. */
  readonly end?: () => void;
}

interface KnownFailure {
  readonly name: string;
  readonly seed: number;
  readonly path: string;
}

const root = new URL("../", import.meta.url);
// The source, not what was built of it.
registerHooks({
  resolve(name, context, next) {
    const source = Object.hasOwn(PACKAGE_SOURCES, name) ? PACKAGE_SOURCES[name] : undefined;
    if (source === undefined) return next(name, context);
    return { url: new URL(`packages/${source}`, root).href, shortCircuit: true };
  },
});
const corpusFile = new URL("fuzz/corpus.json", root);

/** How long a property runs before its attempts are written to the file and the next one is chosen. */
const TURN_MS = 20_000;
/** The first turn only tells how fast a property is. */
const FIRST_TURN_MS = 2000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { counts: { type: "string" } },
});
const [seconds = "60", filter = "", attempts = String(Number.MAX_SAFE_INTEGER)] = positionals;
if (!(Number(seconds) > 0)) throw new Error(`SECONDS is a number above 0, not "${seconds}".`);
if (!(Number(attempts) > 0)) throw new Error(`ATTEMPTS is a number above 0, not "${attempts}".`);

const properties = (await findProperties()).filter(({ name }) => name.includes(filter));
if (properties.length === 0) throw new Error(`No property has "${filter}" in its name.`);
const corpus: KnownFailure[] = JSON.parse(readFileSync(corpusFile, "utf8"));

console.log("| property | attempts | seed | result |\n|---|---:|---:|---|");
for (const { name, property } of properties) {
  for (const { seed, path } of corpus.filter((failure) => failure.name === name)) {
    report(name, await fc.check(property, { seed, path, endOnFailure: true }));
  }
}
if (values.counts === undefined) {
  const milliseconds = (Number(seconds) * 1000) / properties.length;
  for (const one of properties) await run(one, Number(attempts), milliseconds);
} else await takeTurns(new FuzzCounts(values.counts));

// Some properties have a process that works against them: it ends with this one.
process.exit();

async function takeTurns(counts: FuzzCounts): Promise<void> {
  const end = performance.now() + Number(seconds) * 1000;
  const failed = new Set<string>();
  while (performance.now() < end) {
    const one = counts.next(
      properties.filter(({ name }) => !failed.has(name)),
      Number(attempts),
    );
    if (one === undefined) return;
    const { attempts: done } = counts.of(one.name);
    const before = process.cpuUsage();
    const details = await run(one, Number(attempts) - done, done === 0 ? FIRST_TURN_MS : TURN_MS);
    const { user, system } = process.cpuUsage(before);
    if (details.failed) failed.add(one.name);
    else counts.add(one.name, details.attempts, (user + system) / 1e6, details.seed);
  }
}

async function run({ name, property, cases, end }: FuzzProperty, numRuns: number, milliseconds: number) {
  const before = cases?.count ?? 0;
  const outcome = await fc.check(property, {
    seed: Math.trunc(Math.random() * 2 ** 31),
    numRuns,
    interruptAfterTimeLimit: milliseconds,
    markInterruptAsFailure: false,
  });
  end?.();
  // On a machine that was busy all the time not one attempt may have been made.
  const failed = outcome.failed && !(outcome.interrupted && outcome.counterexample === null);
  const details = { ...outcome, failed } as typeof outcome;
  const checked = cases === undefined ? details.numRuns : cases.count - before;
  report(name, details, checked);
  if (details.failed && details.counterexamplePath !== null) {
    corpus.push({ name, seed: details.seed, path: details.counterexamplePath });
    writeFileSync(corpusFile, `${JSON.stringify(corpus, undefined, 2)}\n`);
  }
  return { failed: details.failed, seed: details.seed, attempts: checked };
}

async function findProperties(): Promise<FuzzProperty[]> {
  const files = globSync("packages/*/{src,test}/**/*.fuzz.ts", { cwd: fileURLToPath(root) }).sort();
  const modules = await Promise.all(
    files.map(
      (file): Promise<{ default: FuzzProperty[] }> =>
        import(pathToFileURL(fileURLToPath(new URL(file, root))).href),
    ),
  );
  return modules.flatMap((module) => module.default);
}

function report(name: string, details: fc.RunDetails<unknown>, checked = details.numRuns): void {
  console.log(`| ${name} | ${checked} | ${details.seed} | ${details.failed ? "failed" : "holds"} |`);
  if (!details.failed) return;
  console.error(fc.defaultReportMessage(details));
  process.exitCode = 1;
}
