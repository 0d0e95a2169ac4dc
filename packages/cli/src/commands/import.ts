import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { usageError } from "../cli-error.ts";
import { type Context, command, type Values } from "../command.ts";
import { writeAtomic } from "../edit/write-atomic.ts";
import type { Imported } from "../import/imported.ts";
import { shortPath } from "../print/problems.ts";
import { spinner } from "../print/spinner.ts";

const CHOOSE = {
  tag: { type: "string", value: "TAG", multiple: true, help: "Only operations with this tag." },
  path: {
    type: "string",
    value: "PATH",
    multiple: true,
    help: "Only paths that begin with this; * is one segment, ** any number.",
  },
  method: { type: "string", value: "METHOD", multiple: true, help: "Only this method." },
  operation: {
    type: "string",
    value: "NAME",
    multiple: true,
    help: "Only this operation id or tool; * is any text.",
  },
  "read-only": { type: "boolean", help: "Only operations that change nothing." },
  exclude: { type: "string", value: "NAME", multiple: true, help: "Leave out this operation, tag or /path." },
  "include-deprecated": { type: "boolean", help: "Deprecated operations, too." },
} as const;

const OPTIONS = {
  out: {
    type: "string",
    short: "o",
    value: "FILE",
    complete: "file",
    help: "Write here (.json, .yaml). Default: standard output.",
  },
  ...CHOOSE,
  "base-url": { type: "string", value: "URL", help: "Address of the API instead of the document's servers." },
  prefix: { type: "string", value: "PREFIX", help: "Prefix for tool names." },
  name: { type: "string", value: "NAME", help: "Name of the tool made from a curl command." },
  auth: {
    type: "string",
    value: "AUTH",
    help: "A security scheme, bearer, basic, apiKey:header:NAME, or none.",
  },
  "max-description": { type: "string", value: "N", help: "Characters of a description. Default 1024." },
  "output-schemas": { type: "boolean", help: "Describe results as well." },
  force: { type: "boolean", help: "Overwrite a file that holds more than an import." },
  format: {
    type: "string",
    value: "FORMAT",
    choices: ["text", "json"],
    help: "How to print the summary. Default text.",
  },
} as const;

const KINDS = ["openapi", "postman", "curl", "mcp-config"] as const;

export default command({
  summary:
    "Make tools from an OpenAPI document, a Postman collection, a curl command or an MCP client's configuration.",
  details:
    "openapi SPEC: a file or address; OpenAPI 3.x and Swagger 2, JSON or YAML. postman COLLECTION: format 2.1.\n" +
    "curl 'curl …': one tool from one command. mcp-config FILE: MCP servers of Claude Desktop, Claude Code, Cursor, VS Code.\n" +
    "Secrets never go into the file; they become variables. Importing again into the same file says what changed.",
  operands: [
    { name: "KIND", help: "openapi, postman, curl or mcp-config.", required: true, choices: KINDS },
    { name: "SOURCE", help: "A file, an address, or the curl command.", required: true, complete: "file" },
  ],
  options: OPTIONS,
  examples: [
    {
      command: "mci import openapi https://petstore3.swagger.io/api/v3/openapi.json -o mci/petstore.mci.json",
      about: "A whole API",
    },
    {
      command: "mci import openapi github.json --tag issues --read-only -o mci/github.mci.yaml",
      about: "A part of it",
    },
    {
      command: "mci import curl 'curl https://api.example.com/search?q=x -H \"Accept: application/json\"'",
      about: "One request",
    },
    {
      command: "mci import mcp-config ~/.cursor/mcp.json -o mci.json",
      about: "The servers of another client",
    },
  ],
  async run({ values, operands: [kind = "", source = ""] }, context) {
    const { stdout, stderr, cwd } = context;
    const progress = spinner(stderr);
    let imported: Imported;
    try {
      progress.show(`Importing ${kind}`);
      imported = await importKind(kind, source, values, context, (text) => progress.show(text));
    } finally {
      progress.stop();
    }
    const [{ mergeInto, write }, { printSummary, summaryAsJson }] = await Promise.all([
      import("../import/merge.ts"),
      import("../import/summary.ts"),
    ]);
    const isJson = values.format === "json";
    if (values.out === undefined) {
      if (isJson) stdout.write(summaryAsJson(imported, undefined, undefined));
      else {
        stdout.write(await write(imported.document, "tools.json"));
        printSummary(imported, undefined, undefined, stderr);
      }
      return 0;
    }
    const file = resolve(cwd, values.out);
    if (!/\.(json|ya?ml)$/i.test(file)) throw usageError("--out must name a .json, .yaml or .yml file.");
    const mode = kind === "openapi" || kind === "postman" ? "replace" : "join";
    const { text, changes, isSame } = await mergeInto(file, imported.document, mode, values.force);
    if (!isSame) {
      mkdirSync(dirname(file), { recursive: true });
      if (changes.existed) writeAtomic(file, text);
      else writeFileSync(file, text, { flag: "wx" });
    }
    const shown = shortPath(file, cwd);
    if (isJson) stdout.write(summaryAsJson(imported, changes, shown));
    else printSummary(imported, changes, shown, stdout);
    return 0;
  },
});

async function importKind(
  kind: string,
  given: string,
  values: Values<typeof OPTIONS>,
  context: Context,
  onProgress: (text: string) => void,
): Promise<Imported> {
  if (kind === "curl") return (await import("../import/curl/curl.ts")).importCurl(given, values.name);
  const { readSource } = await import("../import/source.ts");
  const source = await readSource(given, context);
  if (kind === "postman")
    return (await import("../import/postman/postman.ts")).importPostman(source.text, values.prefix);
  if (kind === "mcp-config")
    return (await import("../import/mcp-config/mcp-config.ts")).importMcpConfig(source.text);
  const { importOpenApiSource } = await import("../import/openapi.ts");
  const imported = await importOpenApiSource(source, {
    tags: values.tag,
    paths: values.path,
    methods: values.method,
    operations: values.operation,
    readOnly: values["read-only"],
    exclude: values.exclude,
    includeDeprecated: values["include-deprecated"],
    baseUrl: baseUrl(values["base-url"]),
    prefix: values.prefix,
    variablePrefix: variablePrefix(values.out),
    auth: values.auth,
    maxDescription: maxDescription(values["max-description"]),
    outputSchemas: values["output-schemas"],
    onProgress: (done, total) => onProgress(`Importing ${given}: ${done} of ${total} operations`),
  });
  if (imported.document.tools?.length === 0)
    throw (await import("../import/nothing-left.ts")).nothingLeft(imported.skipped);
  return imported;
}

/** `mci/github.mci.json` -> GITHUB: the file says which API this is, shorter than a title does. */
function variablePrefix(out: string | undefined): string | undefined {
  const name = out === undefined ? "" : basename(out).replace(/(\.mci)?\.(json|ya?ml)$/i, "");
  const prefix = name
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .toUpperCase();
  return prefix === "" || /^(MCI|TOOLS|INDEX|\d.*)$/.test(prefix) ? undefined : prefix;
}

function baseUrl(given: string | undefined): string | undefined {
  if (given === undefined || /^https?:\/\/./i.test(given) || given.includes("{{")) return given;
  throw usageError("--base-url must begin with http:// or https://.");
}

function maxDescription(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (/^\d{1,6}$/.test(given) && Number(given) >= 10) return Number(given);
  throw usageError("--max-description must be a whole number of at least 10.");
}
