import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { CliError, usageError } from "../cli-error.ts";
import type { Context } from "../command.ts";
import type { Imported } from "./imported.ts";
import type { ImportValues } from "./options.ts";

/** What tools can be made from. The code that reads it is loaded with its first use. */
export interface ImportKind {
  /** What it is, with its article. */
  readonly from: string;
  /** Its lines in the help. */
  readonly help: string;
  /** What importing again does to the tools of the file: replaces those of the same source, or adds to them. */
  readonly mode: "replace" | "join";
  read(
    source: string,
    values: ImportValues,
    context: Context,
    onProgress: (text: string) => void,
  ): Promise<Imported>;
}

/** Every `mci import KIND`: a new one is one file and one entry here. */
export const IMPORT_KINDS: Readonly<Record<string, ImportKind>> = {
  openapi: {
    from: "an OpenAPI document",
    help: "openapi SPEC: a file or address; OpenAPI 3.x and Swagger 2, JSON or YAML.",
    mode: "replace",
    read: importOpenApi,
  },
  postman: {
    from: "a Postman collection",
    help: "postman COLLECTION: format 2.1.",
    mode: "replace",
    async read(source, { prefix }, context) {
      const { importPostman } = await import("./postman/postman.ts");
      return importPostman(await readText(source, context), prefix);
    },
  },
  curl: {
    from: "a curl command",
    help: "curl 'curl …': one tool from one command.",
    mode: "join",
    read: async (source, { name }) => (await import("./curl/curl.ts")).importCurl(source, name),
  },
  "mcp-config": {
    from: "an MCP client's configuration",
    help: "mcp-config FILE|CLIENT: MCP servers of a client's configuration; clients are\nclaude, claude-code, cursor, vscode, windsurf, gemini, zed.",
    mode: "join",
    read: (source, _, context) => importConfiguration(source, context),
  },
};

const readText = async (source: string, context: Context) =>
  (await (await import("./source.ts")).readSource(source, context)).text;

async function importOpenApi(
  address: string,
  values: ImportValues,
  context: Context,
  onProgress: (text: string) => void,
): Promise<Imported> {
  const { readSource } = await import("./source.ts");
  const source = await readSource(address, context);
  const { importOpenApiSource } = await import("./openapi.ts");
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
    force: values.force,
    onProgress: (done, total) => onProgress(`Importing ${address}: ${done} of ${total} operations`),
  });
  if (imported.document.tools?.length === 0)
    throw (await import("./no-operations-error.ts")).noOperationsError(imported.skipped);
  return imported;
}

/** A file, or the configuration of a client of that name. */
async function importConfiguration(nameOrFile: string, context: Context): Promise<Imported> {
  const [{ readSource }, { importMcpConfig }, { findConfiguration, CLIENT_NAMES }] = await Promise.all([
    import("./source.ts"),
    import("./mcp-config/mcp-config.ts"),
    import("../clients/find-configuration.ts"),
  ]);
  const isFile = existsSync(resolve(context.cwd, nameOrFile));
  const client = isFile ? undefined : findConfiguration(nameOrFile, context);
  if (client === undefined) {
    if (!isFile && /^[\w-]+$/.test(nameOrFile))
      throw usageError(`There is no file '${nameOrFile}', and no client of that name is known.`, undefined, {
        name: nameOrFile,
        among: CLIENT_NAMES,
      });
    return importMcpConfig((await readSource(nameOrFile, context)).text);
  }
  const [file, ...others] = client.found;
  if (file === undefined)
    throw new CliError(
      `No configuration of ${nameOrFile} was found. Looked for:\n  ${client.places.join("\n  ")}`,
      {
        hint: "Name the file itself: mci import mcp-config FILE",
      },
    );
  const imported = importMcpConfig((await readSource(file, context)).text);
  const read = [`Read ${file}`, ...others.map((other) => `Not read: ${other}`)];
  return { ...imported, warnings: [...read, ...imported.warnings] };
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

function baseUrl(option: string | undefined): string | undefined {
  if (option === undefined || /^https?:\/\/./i.test(option) || option.includes("{{")) return option;
  throw usageError("--base-url must begin with http:// or https://.");
}

function maxDescription(option: string | undefined): number | undefined {
  if (option === undefined) return undefined;
  if (/^\d{1,6}$/.test(option) && Number(option) >= 10) return Number(option);
  throw usageError("--max-description must be a whole number of at least 10.");
}
