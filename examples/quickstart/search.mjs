// A tiny grep, so that the quickstart runs on any system: node search.mjs PATTERN DIRECTORY [--ignore-case]
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [pattern, directory, ...flags] = process.argv.slice(2);
const fold = flags.includes("--ignore-case") ? (text) => text.toLowerCase() : (text) => text;

for (const file of readdirSync(directory)) {
  for (const [index, line] of readFileSync(join(directory, file), "utf8").split("\n").entries()) {
    if (fold(line).includes(fold(pattern))) console.log(`${file}:${index + 1}: ${line}`);
  }
}
