import fs from "node:fs";
import { MCIClientError } from "../../errors.ts";
import type { ToolLock } from "./lock.ts";

/** A lock that was given as data or as the path of its file. Whatever is wrong with it, no tool may run without it. */
export async function readLock(lock: string | URL | ToolLock): Promise<ToolLock> {
  if (typeof lock !== "string" && !(lock instanceof URL)) return check(lock, "options.lock");
  const name = String(lock);
  const text = await fs.promises.readFile(lock, "utf8").catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === "ENOENT" ? "does not exist" : `cannot be read (${cause.code})`;
    throw invalid(`The lock file ${reason}: ${name}. Run 'mci lock' to write it.`, cause);
  });
  try {
    return await check(JSON.parse(text), name);
  } catch (cause) {
    if (cause instanceof MCIClientError) throw cause;
    throw invalid(`The lock file is not JSON: ${name}. Run 'mci lock' to write it again.`, cause);
  }
}

async function check(data: unknown, name: string): Promise<ToolLock> {
  const { parseLock } = await import("./lock-schema.ts");
  const result = parseLock(data);
  if (result.success) return result.data;
  const path = result.error.issues[0]?.path.join(".") ?? "";
  throw invalid(`${name} is not a lock of this version (at '${path}'). Run 'mci lock' to write it again.`);
}

function invalid(message: string, cause?: unknown): MCIClientError {
  return new MCIClientError("lock_invalid", message, { cause });
}
