/**
 * Runs the property-based tests for longer than the suite does: `npm run fuzz -- [SECONDS] [NAME] [ATTEMPTS]`.
 *
 * Every `*.fuzz.ts` file exports a list of properties. The time (60 s unless given) is divided among those whose name
 * contains NAME; with ATTEMPTS a property ends after that many, if its time lasts. Failures found earlier (fuzz/corpus.json) are replayed first; a new one is added there, so that it is
 * never lost, and the command exits with 1.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import fc from "fast-check";
import { PACKAGE_SOURCES } from "./package-sources.ts";

export interface FuzzProperty {
  readonly name: string;
  readonly property: fc.IRawProperty<unknown>;
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

const [seconds = "60", filter = "", attempts = String(Number.MAX_SAFE_INTEGER)] = process.argv.slice(2);
if (!(Number(seconds) > 0)) throw new Error(`SECONDS is a number above 0, not "${seconds}".`);
if (!(Number(attempts) > 0)) throw new Error(`ATTEMPTS is a number above 0, not "${attempts}".`);

const properties = (await findProperties()).filter(({ name }) => name.includes(filter));
if (properties.length === 0) throw new Error(`No property has "${filter}" in its name.`);
const corpus: KnownFailure[] = JSON.parse(readFileSync(corpusFile, "utf8"));
const milliseconds = (Number(seconds) * 1000) / properties.length;

console.log("| property | attempts | seed | result |\n|---|---:|---:|---|");
for (const { name, property } of properties) {
  for (const { seed, path } of corpus.filter((failure) => failure.name === name)) {
    report(name, await fc.check(property, { seed, path, endOnFailure: true }));
  }
  const seed = Math.trunc(Math.random() * 2 ** 31);
  const details = await fc.check(property, {
    seed,
    numRuns: Number(attempts),
    interruptAfterTimeLimit: milliseconds,
    markInterruptAsFailure: false,
  });
  report(name, details);
  if (details.failed && details.counterexamplePath !== null) {
    corpus.push({ name, seed: details.seed, path: details.counterexamplePath });
    writeFileSync(corpusFile, `${JSON.stringify(corpus, undefined, 2)}\n`);
  }
}

// Some properties have a process that works against them: it ends with this one.
process.exit();

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

function report(name: string, details: fc.RunDetails<unknown>): void {
  console.log(`| ${name} | ${details.numRuns} | ${details.seed} | ${details.failed ? "failed" : "holds"} |`);
  if (!details.failed) return;
  console.error(fc.defaultReportMessage(details));
  process.exitCode = 1;
}
