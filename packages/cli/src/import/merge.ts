import { existsSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isObject } from "@mci-ts/primitives/is-object";
import { CliError } from "../cli-error.ts";
import type { ImportedDocument } from "./imported.ts";
import { parseLooseDocument } from "./parse-loose.ts";

/** What an import changes in the file it writes. */
export interface Changes {
  /** The file was there before. */
  readonly existed: boolean;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

export interface Merged {
  /** What the file said when it was read; undefined: there was none. */
  readonly before: string | undefined;
  readonly text: string;
  readonly changes: Changes;
  /** The file already says exactly this. */
  readonly isSame: boolean;
}

/**
 * The text of the file after an import. `replace`: the import is all there is in the file, so that what the API lost is
 * lost here too. Otherwise its tools and servers join those that are there.
 */
export async function mergeInto(
  file: string,
  imported: ImportedDocument,
  mode: "replace" | "join",
  force: boolean,
): Promise<Merged> {
  const before = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  const old = before === undefined ? undefined : await parse(before, file);
  if (old !== undefined && !force) {
    refuseForeign(old, imported, mode, file);
    if (!isYaml(file)) refuseComments(before!, file);
  }
  const document =
    mode === "join" && old !== undefined
      ? mergeDocuments(old, imported)
      : { ...keptFields(old), ...imported };
  const isEdit = mode === "join" && before !== undefined && isYaml(file);
  const text = isEdit ? await editYaml(before, old, document) : await write(document, file);
  const changes = compare(old, document, before !== undefined);
  return { before, text, changes, isSame: text === before };
}

/** Written by hand, the file has more in it than an import makes: that would be lost. */
function refuseForeign(
  old: Record<string, unknown>,
  imported: ImportedDocument,
  mode: "replace" | "join",
  file: string,
): void {
  if (mode === "join") return;
  const extra = Object.keys(old).filter((key) => !(key in imported) && !GENERATED.has(key));
  const tools = Array.isArray(old.tools) ? old.tools : [];
  const isOther = (tool: unknown) =>
    !isObject(tool) || !isObject(tool.execution) || tool.execution.type !== "http";
  if (extra.length === 0 && !tools.some(isOther)) return;
  throw new CliError(`${file} holds more than an import: it would be lost.`, {
    hint: "Write the import into a file of its own in the library folder (--out mci/NAME.mci.json), or pass --force.",
  });
}

/** A JSON file is written anew, and what is not JSON in it has no place then. */
function refuseComments(text: string, file: string): void {
  try {
    JSON.parse(text);
  } catch {
    throw new CliError(`${file} has comments or trailing commas: they would be lost.`, {
      hint: "Write the import into a file of its own in the library folder (--out mci/NAME.mci.json), or pass --force.",
    });
  }
}

/** What an earlier import may have written and this one need not, and what is kept. */
const GENERATED = new Set(["$schema", "schemaVersion", "metadata", "publicEnv", "envAllowList", "tools"]);

function keptFields(old: Record<string, unknown> | undefined): Record<string, unknown> {
  return old?.$schema === undefined ? {} : { $schema: old.$schema };
}

function mergeDocuments(old: Record<string, unknown>, imported: ImportedDocument): Record<string, unknown> {
  const tools: unknown[] = Array.isArray(old.tools) ? [...old.tools] : [];
  for (const tool of imported.tools ?? []) {
    const index = tools.findIndex((other) => isObject(other) && other.name === tool.name);
    if (index < 0) tools.push(tool);
    else tools[index] = tool;
  }
  const servers = { ...(isObject(old.mcp_servers) ? old.mcp_servers : {}), ...imported.mcp_servers };
  return {
    ...old,
    ...(tools.length > 0 ? { tools } : {}),
    ...(Object.keys(servers).length > 0 ? { mcp_servers: servers } : {}),
    ...(Array.isArray(old.envAllowList)
      ? { envAllowList: [...new Set([...old.envAllowList, ...variablesOf(imported)])] }
      : {}),
  };
}

/** A list of the file bounds those of its tools, so it has to name what they read. */
function variablesOf({ tools = [], mcp_servers: servers = {} }: ImportedDocument): string[] {
  return [...tools, ...Object.values(servers)].flatMap((entry) =>
    "envAllowList" in entry && Array.isArray(entry.envAllowList) ? entry.envAllowList : [],
  );
}

function compare(
  old: Record<string, unknown> | undefined,
  document: Record<string, unknown>,
  existed: boolean,
): Changes {
  const [before, after] = [entriesOf(old), entriesOf(document)];
  const names = [...after.keys()];
  return {
    existed,
    added: names.filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !after.has(name)),
    changed: names.filter(
      (name) => before.has(name) && JSON.stringify(before.get(name)) !== JSON.stringify(after.get(name)),
    ),
  };
}

/** Tools and MCP servers, by name. */
function entriesOf(document: Record<string, unknown> | undefined): Map<string, unknown> {
  const entries = byName(document?.tools);
  if (isObject(document?.mcp_servers))
    for (const [name, server] of Object.entries(document.mcp_servers)) entries.set(name, server);
  return entries;
}

function byName(tools: unknown): Map<string, unknown> {
  const named = Array.isArray(tools)
    ? tools.filter((tool) => isObject(tool) && typeof tool.name === "string")
    : [];
  return new Map(named.map((tool) => [tool.name, tool]));
}

const isYaml = (file: string) => [".yaml", ".yml"].includes(extname(file).toLowerCase());

async function parse(text: string, file: string): Promise<Record<string, unknown>> {
  const value = isYaml(file) ? (await import("yaml")).parse(text) : parseLooseDocument(text, file);
  if (isObject(value) && ("schemaVersion" in value || Object.keys(value).length === 0)) return value;
  throw new CliError(`${file} exists and is not an MCI file.`, { hint: "Choose another file with --out." });
}

/** Only what changes is written again, so that comments stay. */
async function editYaml(
  source: string,
  old: Record<string, unknown> = {},
  document: Record<string, unknown>,
): Promise<string> {
  const { parseDocument } = await import("yaml");
  const edited = parseDocument(source);
  for (const [key, value] of Object.entries(document)) {
    const before = old[key];
    if (isDeepStrictEqual(before, value)) continue;
    const isList = Array.isArray(value) && Array.isArray(before) && before.length > 0;
    const isMap = isObject(value) && isObject(before) && Object.keys(before).length > 0;
    if (!isList && !isMap) edited.set(key, edited.createNode(value));
    else
      for (const [name, entry] of Object.entries(value as object))
        if (!isDeepStrictEqual((before as Record<string, unknown>)[name], entry))
          edited.setIn([key, isList ? Number(name) : name], edited.createNode(entry));
  }
  const text = edited.toString({ lineWidth: 120 });
  return isDeepStrictEqual(parseDocument(text).toJS(), document) ? text : write(document, "tools.yaml");
}

/** The same document gives the same text. */
export async function write(document: object, file: string): Promise<string> {
  if (!isYaml(file)) return `${JSON.stringify(document, null, 2)}\n`;
  const { stringify } = await import("yaml");
  return stringify(document, { lineWidth: 120, aliasDuplicateObjects: false });
}
