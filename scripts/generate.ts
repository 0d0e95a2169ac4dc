/**
 * Writes what is derived from the source:
 *
 *   npm run generate            writes the files
 *   npm run generate -- --check fails if a committed file is another one
 */
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { STRATEGIES } from "../packages/council/src/strategies/strategies.ts";
import { DIALECT_NAMES, dialect } from "../packages/council-server/src/providers/dialects/index.ts";
import { generateSchema } from "../packages/mci/scripts/generate-schema.ts";
import { ADAPTERS } from "./package-sources.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Each file with what it should be, given what it is. */
const GENERATED: Readonly<Record<string, (text: string) => string>> = {
  "packages/mci/mci.schema.json": generateSchema,
  "packages/mci/package.json": withAdapterExports,
  "packages/mci/src/execute/http/auth/auth-types.ts": () => kindsIn("auth", "AuthType"),
  "packages/mci/src/execute/http/body/body-types.ts": () => kindsIn("body", "BodyType"),
  "docs/council/providers.md": (text) => withTable(text, "dialects", dialectRows()),
  "packages/council/README.md": (text) => withTable(text, "strategies", strategyRows()),
};

/** Paths of the committed files that are out of date. */
export const outdatedFiles = (): readonly string[] =>
  Object.entries(GENERATED).flatMap(([file, generate]) => {
    const text = readIfExists(file);
    return generate(text) === text ? [] : file;
  });

function readIfExists(file: string): string {
  return existsSync(root + file) ? readFileSync(root + file, "utf8") : "";
}

/** Every file of a folder of `execute/http` that exports a value of this type. */
function kindsIn(folder: string, type: string): string {
  const cwd = `${root}packages/mci/src/execute/http/${folder}`;
  const kinds = globSync("*.ts", { cwd })
    .sort()
    .flatMap((file) => {
      const [, name] =
        new RegExp(`^export const (\\w+): ${type}<`, "m").exec(readFileSync(`${cwd}/${file}`, "utf8")) ?? [];
      return name === undefined ? [] : [{ name, file }];
    });
  return [
    "// Written by `npm run generate`: what the files of this folder export.",
    ...kinds.map(({ name, file }) => `import { ${name} } from "./${file}";`),
    "",
    `export const ${type.toUpperCase().replace("TYPE", "_TYPES")} = {`,
    ...kinds.map(({ name }) => `  ${name},`),
    "};",
    "",
  ].join("\n");
}

function withAdapterExports(text: string): string {
  const manifest = JSON.parse(text);
  const [main, ...others] = Object.entries(manifest.exports).filter(
    ([, target]) => !JSON.stringify(target).includes("/adapters/"),
  );
  const adapters = ADAPTERS.map((name) => [
    `./${name}`,
    { types: `./dist/adapters/${name}.d.ts`, default: `./dist/adapters/${name}.js` },
  ]);
  const exports = Object.fromEntries([main!, ...adapters, ...others]);
  return `${JSON.stringify({ ...manifest, exports }, null, 2)}\n`;
}

function strategyRows(): readonly string[] {
  return STRATEGIES.map(({ name, tool, intents, description }) => {
    const selectedBy = Object.keys(intents).map((intent) => `\`${intent}\``);
    return `| \`${name}\` | \`${tool}\` | ${selectedBy.join(", ")} | ${description} |`;
  });
}

function dialectRows(): readonly string[] {
  return DIALECT_NAMES.map((name) => {
    const { title, structured, tokenLimit, api } = dialect(name);
    const limit = api === "chat_completions" ? tokenLimit.join(", ") : "max_tokens";
    return `| ${title} | \`${name}\` | ${structured.join(", ")} | ${limit} |`;
  });
}

/** The rows of the table that follows `<!-- generated: NAME -->`; its head stays. */
function withTable(text: string, name: string, rows: readonly string[]): string {
  const pattern = new RegExp(`(<!-- generated: ${name} -->\n+\\|.*\n\\|[-|]+\\|\n)(?:\\|.*\n)*`);
  if (!pattern.test(text)) throw new Error(`There is no table after <!-- generated: ${name} -->.`);
  return text.replace(pattern, (_, head: string) => `${head}${rows.join("\n")}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const outdated = outdatedFiles();
  if (process.argv.includes("--check")) {
    for (const file of outdated) console.error(`${file} is out of date. Run: npm run generate`);
    process.exitCode = outdated.length === 0 ? 0 : 1;
  } else
    for (const file of outdated) {
      writeFileSync(root + file, GENERATED[file]!(readIfExists(file)));
      console.log(`wrote ${file}`);
    }
}
