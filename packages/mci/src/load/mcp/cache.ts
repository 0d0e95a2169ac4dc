import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MCIClientError } from "../../errors.ts";
import { isObject } from "../../is-object.ts";
import type { McpServer } from "../../schema/document.ts";
import type { Tool } from "../../schema/tool.ts";
import type { Secrets } from "../../secrets.ts";
import { parseFile } from "../parse/parse.ts";
import { validateDocument } from "../validate/document.ts";

/** A server's list of tools as it was kept. */
export interface CachedTools {
  readonly tools: readonly Tool[];
  /** Neither too old, nor without a sign that it belongs to these settings. */
  readonly isFresh: boolean;
}

/** Where a server's list is kept. Names are checked before: see `serverNameProblem`. */
export function cacheFile(library: string, server: string): string {
  return join(library, "mcp", `${server.replace(/[%<>:"|?*]/g, encodeURIComponent)}.mci.json`);
}

/** Why a server's name cannot be a file name; undefined if it can. */
export function serverNameProblem(name: string): string | undefined {
  const isFileName =
    !/[/\\\p{Cc}]/u.test(name) && !/^\.*$/.test(name.trim()) && Buffer.byteLength(name) <= 150;
  if (isFileName) return undefined;
  return `MCP server name '${name}' cannot be the name of a file, in which the server's list of tools is kept`;
}

/** Undefined if there is none, if it cannot be understood, or if it was made with other settings. */
export async function readCache(
  file: string,
  name: string,
  server: McpServer,
  now: Date,
): Promise<CachedTools | undefined> {
  try {
    const parsed = await parseFile(file);
    const { document } = await validateDocument(parsed, { kind: "toolset" });
    const tools = document.tools ?? [];
    const hash = isObject(parsed.data) ? parsed.data["configHash"] : undefined;
    const isForeign = tools.some(
      ({ execution }) => execution.type !== "mcp" || execution.serverName !== name,
    );
    if (isForeign || (hash !== undefined && hash !== (await configHash(server)))) return undefined;
    // Lists that another adapter wrote have no hash: better than none, not as good as a new one.
    return { tools, isFresh: hash !== undefined && expiresLater(document.expiresAt, now) };
  } catch (error) {
    if (error instanceof MCIClientError) return undefined;
    throw error;
  }
}

export interface CacheEntry {
  readonly name: string;
  readonly server: McpServer;
  readonly schemaVersion: string;
  readonly tools: readonly Tool[];
  readonly ttlDays: number;
  /** What the server was told, and may repeat when it describes itself. */
  readonly secrets: Secrets;
}

/** Readers see the old file or the new one, never a part of it, whatever happens in between. */
export async function writeCache(file: string, entry: CacheEntry, now: Date): Promise<void> {
  const expires = new Date(Math.min(now.getTime() + entry.ttlDays * 24 * 60 * 60 * 1000, LAST_DAY));
  const content = {
    schemaVersion: entry.schemaVersion,
    metadata: { name: entry.name, description: `MCP server: ${entry.name}` },
    tools: entry.tools,
    expiresAt: day(expires),
    configHash: await configHash(entry.server),
  };
  await mkdir(dirname(file), { recursive: true });
  const temporary = join(dirname(file), `.${crypto.randomUUID()}.tmp`);
  try {
    const handle = await open(temporary, "wx");
    try {
      await handle.writeFile(`${JSON.stringify(content, withoutSecrets(entry.secrets), 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Later ones cannot be written in four digits. */
const LAST_DAY = Date.UTC(9999, 11, 31);
const PROSE: ReadonlySet<string> = new Set(["title", "description", "$comment"]);

/**
 * Takes them out of what a server says about its tools. A default or an example goes as a whole: the server has its own,
 * and with a part of it missing it would be another value. A name or a choice that happens to equal a setting must stay
 * what it is.
 */
function withoutSecrets(secrets: Secrets): (key: string, value: unknown) => unknown {
  const isClean = (value: unknown) => typeof value !== "string" || secrets.mask(value) === value;
  return (key, value) => {
    if (PROSE.has(key)) return typeof value === "string" ? secrets.mask(value) : value;
    if (key === "default") return isClean(value) ? value : undefined;
    return key === "examples" && Array.isArray(value) ? value.filter(isClean) : value;
  };
}

/**
 * Which settings a list belongs to: everything that says which server it is. Taken before templates are filled in, so
 * that nothing can be learned from it about the values of `env`.
 */
async function configHash(server: McpServer): Promise<string> {
  const sorted = (map: Readonly<Record<string, string>> = {}) =>
    Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
  const identity =
    "command" in server
      ? ["stdio", server.command, server.args ?? [], sorted(server.env)]
      : [server.type ?? "http", server.url, sorted(server.headers)];
  // Loaded here because most files have no servers, and it takes as long to load as they do.
  const { createHash } = await import("node:crypto");
  return `sha256-${createHash("sha256").update(JSON.stringify(identity)).digest("hex")}`;
}

/** A day counts as over when it begins, in UTC; a point in time when it is reached. */
function expiresLater(expiresAt: string | undefined, now: Date): boolean {
  if (expiresAt === undefined) return false;
  if (/^\d{4}-\d{2}-\d{2}$/.test(expiresAt)) return expiresAt > day(now);
  return Date.parse(expiresAt) > now.getTime();
}

const day = (date: Date) => date.toISOString().slice(0, 10);
