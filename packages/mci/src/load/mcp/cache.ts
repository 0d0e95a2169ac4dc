import fs from "node:fs";
import { dirname, join } from "node:path";
import { isObject } from "@mci-ts/primitives/is-object";
import { MCIClientError } from "../../errors.ts";
import type { McpServer } from "../../schema/document.ts";
import type { Tool } from "../../schema/tool.ts";
import type { ServerContent } from "../content/content.ts";
import { readContent } from "../content/server-content.ts";
import { parseFile } from "../parse/parse.ts";
import { validateDocument } from "../validate/document.ts";

/** A server's cached tool list. */
export interface CachedTools {
  readonly tools: readonly Tool[];
  /** Its prompts and resources; undefined if the list was written without them. */
  readonly content?: ServerContent;
  /** Not expired, and written for these settings and by a client that offered the server the same. */
  readonly isFresh: boolean;
}

/** The cache file of a server. Names are checked before: see `serverNameProblem`. */
export function cacheFile(library: string, server: string): string {
  return join(library, "mcp", `${server.replace(/[%<>:"|?*]/g, encodeURIComponent)}.mci.json`);
}

/** Why a server's name cannot be a file name; undefined if it can. */
export function serverNameProblem(name: string): string | undefined {
  const isFileName =
    !/[/\\\p{Cc}]/u.test(name) && !/^\.*$/.test(name.trim()) && Buffer.byteLength(name) <= 150;
  if (isFileName) return undefined;
  return `MCP server name '${name}' cannot be a file name, which the server's cached tool list needs`;
}

/** Undefined if there is none, if it is invalid, or if it was written for other settings. */
export async function readCache(
  file: string,
  name: string,
  server: McpServer,
  capabilities: readonly string[],
  now: Date,
): Promise<CachedTools | undefined> {
  try {
    const parsed = await parseFile(file);
    const { document } = await validateDocument(parsed, { kind: "toolset" });
    const tools = document.tools ?? [];
    const stored = isObject(parsed.data) ? parsed.data : {};
    const hash = stored["configHash"];
    const isForeign = tools.some(
      ({ execution }) => execution.type !== "mcp" || execution.serverName !== name,
    );
    if (isForeign || (hash !== undefined && hash !== (await configHash(server)))) return undefined;
    // Lists written by other adapters have no hash: a fallback, never fresh.
    const content = readContent(stored["mcpContent"]);
    return {
      tools,
      ...(content && { content }),
      isFresh:
        hash !== undefined &&
        JSON.stringify(stored["clientCapabilities"]) === JSON.stringify(capabilities) &&
        expiresLater(document.expiresAt, now),
    };
  } catch (error) {
    if (error instanceof MCIClientError) return undefined;
    throw error;
  }
}

export interface CacheEntry {
  readonly name: string;
  readonly server: McpServer;
  readonly schemaVersion: string;
  /** Without secrets: see `maskListed`. */
  readonly tools: readonly Tool[];
  /** Without secrets, too. */
  readonly content?: ServerContent;
  /** What the client offered the server: servers list other tools, resources and prompts for other clients. */
  readonly capabilities: readonly string[];
  readonly ttlDays: number;
}

/** Atomic: readers see the old file or the new one, never a part of it. */
export async function writeCache(file: string, entry: CacheEntry, now: Date): Promise<void> {
  const expires = new Date(Math.min(now.getTime() + entry.ttlDays * 24 * 60 * 60 * 1000, LAST_DAY));
  const content = {
    schemaVersion: entry.schemaVersion,
    metadata: { name: entry.name, description: `MCP server: ${entry.name}` },
    tools: entry.tools,
    ...(entry.content && { mcpContent: entry.content }),
    expiresAt: day(expires),
    configHash: await configHash(entry.server),
    clientCapabilities: entry.capabilities,
  };
  await fs.promises.mkdir(dirname(file), { recursive: true });
  const temporary = join(dirname(file), `.${crypto.randomUUID()}.tmp`);
  try {
    const handle = await fs.promises.open(temporary, "wx");
    try {
      await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await fs.promises.rename(temporary, file);
  } catch (error) {
    await fs.promises.rm(temporary, { force: true });
    throw error;
  }
}

/** Later years need more than four digits. */
const LAST_DAY = Date.UTC(9999, 11, 31);
/**
 * Identifies the settings of a server. Computed before templates are rendered, so that the hash reveals nothing about
 * the values of `env`.
 */
async function configHash(server: McpServer): Promise<string> {
  const sorted = (map: Readonly<Record<string, string>> = {}) =>
    Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
  const identity =
    "command" in server
      ? ["stdio", server.command, server.args ?? [], sorted(server.env)]
      : [server.type ?? "http", server.url, sorted(server.headers)];
  // Imported lazily: most files have no servers, and the import takes as long as loading such a file.
  const { createHash } = await import("node:crypto");
  return `sha256-${createHash("sha256").update(JSON.stringify(identity)).digest("hex")}`;
}

/** A date expires at its beginning in UTC; a point in time when it is reached. */
function expiresLater(expiresAt: string | undefined, now: Date): boolean {
  if (expiresAt === undefined) return false;
  if (/^\d{4}-\d{2}-\d{2}$/.test(expiresAt)) return expiresAt > day(now);
  return Date.parse(expiresAt) > now.getTime();
}

const day = (date: Date) => date.toISOString().slice(0, 10);
