import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { MCIClientError, readLock, type ToolLock } from "mci-ts";
import type { Context } from "../command.ts";
import { saveText } from "../edit/save-text.ts";
import { oneLine } from "../print/escape-controls.ts";
import { plural } from "../print/plural.ts";
import { shortPath } from "../print/problems.ts";
import { loadWithProgress, loginCommand, projectEnv } from "../project/load.ts";
import { LOCK_FILE } from "../project/options.ts";

/** Asks the new server for its tools and locks them. What is locked of all others stays as it was reviewed. */
export async function lockServer(
  name: string,
  settings: object,
  file: string,
  context: Context,
): Promise<number> {
  const path = join(dirname(file), LOCK_FILE);
  const lockName = oneLine(shortPath(path, context.cwd));
  const text = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  const before = text === undefined ? undefined : await readLock(path);
  const source = {
    document: { schemaVersion: "1.0", mcp_servers: { [name]: settings } },
    baseDir: dirname(file),
  };
  const { values: env } = await projectEnv(file, { env: [], dotenv: [] }, context);
  try {
    await using client = await loadWithProgress(
      source,
      { env, strict: true, refreshMcpTools: true },
      context,
    );
    const lock = merge(before, client.lock(), `mcp:${name}`);
    await saveText(path, `${JSON.stringify(lock, null, 2)}\n`, text, lockName);
    context.stdout.write(
      `Locked ${plural(client.listTools().length, "tool")} of it in ${lockName}; look at them with 'mci list', serve with 'mci run --locked'\n`,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof MCIClientError)) throw error;
    context.stderr.write(
      `Not locked: ${oneLine(error.message)}\n  Set what it needs (or log in with '${loginCommand(file, context.cwd)(name)}'), then run 'mci lock'.\n`,
    );
    return 1;
  }
}

function merge(before: ToolLock | undefined, now: ToolLock, source: string): ToolLock {
  const others = (entries: ToolLock["tools"] = {}) =>
    Object.entries(entries).filter(([, entry]) => entry.source !== source);
  const sorted = (...entries: [string, ToolLock["tools"][string]][]) =>
    Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  // What was reviewed before wins: of two with one name, the file uses the first.
  const content = sorted(...Object.entries(now.content ?? {}), ...others(before?.content));
  return {
    lockVersion: 3,
    tools: sorted(...Object.entries(now.tools), ...others(before?.tools)),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
}
