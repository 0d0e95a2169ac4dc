import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isObject } from "@mci-ts/primitives/is-object";
import { parseJson } from "@mci-ts/primitives/parse-json";
import { CliError, usageError } from "../cli-error.ts";
import { type Context, command } from "../command.ts";
import { saveText } from "../edit/save-text.ts";
import { oneLine } from "../print/escape-controls.ts";
import { shortPath } from "../print/problems.ts";
import { style } from "../print/style.ts";
import { discoverFile } from "../project/discover.ts";
import { FILE } from "../project/options.ts";

export default command({
  summary: "Write what a registry of MCP servers needs to know about the file, and check it.",
  details:
    "Writes server.json, the entry of a registry, and with --url server-card.json, what clients read before they connect.\n" +
    "Name, description and version come from the file's metadata, the variables from its templates. What else a\n" +
    "server.json that is there says stays. Nothing is sent: 'mcp-publisher publish' does that. Exit 1: something is missing.",
  options: {
    check: { type: "boolean", help: "Write and check the files. Required: this command sends nothing." },
    package: {
      type: "string",
      value: "TYPE:NAME@VERSION",
      multiple: true,
      help: "A package that runs the file, such as npm:@me/weather@1.0.0. Default: those that server.json has.",
    },
    url: { type: "string", value: "URL", help: "Where it is served. Default: what server.json has." },
    bearer: { type: "boolean", help: "With --url: clients must send a token." },
    name: {
      type: "string",
      value: "NAME",
      help: "Its name there, such as io.github.me/weather. Default: metadata.name.",
    },
    out: {
      type: "string",
      short: "o",
      value: "DIR",
      complete: "directory",
      help: "Where to write. Default: beside the file.",
    },
    ...FILE,
  },
  examples: [
    {
      command: "mci publish --check --package npm:@me/weather@1.0.0",
      about: "A package on npm that runs the file",
    },
    {
      command: "mci publish --check --url https://weather.example.com/mcp --bearer",
      about: "A server that runs",
    },
  ],
  async run({ values }, context) {
    if (!values.check)
      throw usageError(
        "This command sends nothing to a registry.",
        "Write and check the files with 'mci publish --check', then send server.json with 'mcp-publisher publish'.",
      );
    const file = discoverFile(values.file, context.cwd);
    const folder = values.out === undefined ? dirname(file) : resolve(context.cwd, values.out);
    const packages = values.package.map(readPackage);
    const [
      { neededVariables, readDocument },
      { identityOf, serverCard },
      { registryEntry },
      { registryProblems },
      { schemaErrors },
      schemas,
    ] = await Promise.all([
      import("../export/exported-server.ts"),
      import("../publish/card.ts"),
      import("../publish/registry-entry.ts"),
      import("../publish/registry-problems.ts"),
      import("../publish/check.ts"),
      import("../publish/schemas.ts"),
    ]);
    if (!existsSync(file)) throw new CliError(`File not found: ${file}`, { hint: "Check --file." });
    const { metadata } = await readDocument(file);
    const identity = { ...identityOf(metadata), ...(values.name === undefined ? {} : { name: values.name }) };
    const { needed, optional } = await neededVariables(file, context, { withEnvFiles: false });
    const old = readEntry(join(folder, "server.json"));
    const entry = registryEntry(old.entry, {
      ...{ identity, packages, needed, optional },
      url: values.url,
      needsToken: values.bearer,
    });
    await save(join(folder, "server.json"), entry, old.text, context);
    const problems = [
      ...missing(identity),
      ...schemaErrors(schemas.serverSchema, JSON.parse(JSON.stringify(entry))),
      ...registryProblems(entry),
    ].map((problem) => `server.json: ${problem}`);

    const url = values.url ?? remoteOf(entry);
    if (url === undefined) context.stderr.write("No server card: it is for servers at an address (--url).\n");
    else {
      const card = serverCard(identity, { url, needsToken: values.bearer, more: entry });
      if (card !== undefined) {
        const path = join(folder, "server-card.json");
        await save(path, card, existsSync(path) ? readFileSync(path, "utf8") : undefined, context);
        problems.push(
          ...schemaErrors(schemas.cardSchema, card).map((problem) => `server-card.json: ${problem}`),
        );
      } else context.stderr.write("No server card: the metadata is not complete.\n");
    }
    for (const problem of problems)
      context.stderr.write(`${style(context.stderr, "red", "error")}: ${oneLine(problem)}\n`);
    if (problems.length === 0)
      context.stderr.write(
        url === undefined ? "server.json fits its schema.\n" : "Both fit their schemas.\n",
      );
    return problems.length === 0 ? 0 : 1;
  },
});

const FIELDS: Readonly<Record<string, string>> = {
  name: "its name in reverse DNS, such as io.github.me/weather (or --name)",
  description: "what it is for, in at most 100 characters",
  version: "its version, such as 1.0.0",
};

/** By the words of the file, where the schema would name fields of the entry. */
function missing(identity: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(FIELDS).flatMap(([key, what]) =>
    identity[key] === undefined ? [`'metadata.${key}' of the file is missing: ${what}`] : [],
  );
}

function readPackage(text: string) {
  const [, type, identifier, version] = /^([a-z]+):(.+?)(?:@([^@/]+))?$/.exec(text) ?? [];
  if (type === undefined || identifier === undefined)
    throw usageError(`--package cannot be '${text}'.`, "Write --package npm:@me/weather@1.0.0.");
  return { type, identifier, version };
}

function readEntry(path: string): {
  readonly text: string | undefined;
  readonly entry: Readonly<Record<string, unknown>>;
} {
  if (!existsSync(path)) return { text: undefined, entry: {} };
  const text = readFileSync(path, "utf8");
  const entry = parseJson(text);
  if (isObject(entry)) return { text, entry };
  throw new CliError(`${path} is not a JSON object, and is not replaced.`, {
    hint: "Correct it, or choose another folder with --out.",
  });
}

async function save(
  path: string,
  document: object,
  before: string | undefined,
  { cwd, stdout }: Context,
): Promise<void> {
  const text = `${JSON.stringify(document, null, 2)}\n`;
  const name = oneLine(shortPath(path, cwd));
  if (text === before) return void stdout.write(`${name} is up to date\n`);
  await saveText(path, text, before, name);
  stdout.write(`${style(stdout, "green", "Wrote")} ${name}\n`);
}

function remoteOf({ remotes }: Readonly<Record<string, unknown>>): string | undefined {
  const [first] = Array.isArray(remotes) ? remotes : [];
  return isObject(first) && typeof first.url === "string" ? first.url : undefined;
}
