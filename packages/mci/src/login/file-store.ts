import { createHash, randomUUID } from "node:crypto";
import { chmod, link, mkdir, open, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseJson } from "@mci-ts/primitives/parse-json";
import * as z from "zod/mini";
import { MCIClientError } from "../errors.ts";
import { ExclusiveQueue, type Login, type LoginStore, sameLogin, withLogin } from "./login-store.ts";

/** The file of the current user: in the platform's folder for settings. `env` is the process environment. */
export function loginFile(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  const home = (platform === "win32" ? env["USERPROFILE"] : env["HOME"]) || homedir();
  const base =
    platform === "win32"
      ? (env["APPDATA"] ?? join(home, "AppData", "Roaming"))
      : platform === "darwin"
        ? join(home, "Library", "Application Support")
        : env["XDG_CONFIG_HOME"] || join(home, ".config");
  return join(base, "mci", "logins.json");
}

/** Logins in one file that only its owner can read. Processes take turns, and a crash leaves the file whole. */
export function fileLoginStore(path: string): LoginStore {
  const queue = new ExclusiveQueue();
  const change = <T>(work: (logins: readonly Login[]) => { logins: readonly Login[]; result: T }) =>
    queue.run(path, () =>
      withLockFile(`${path}.lock`, async () => {
        const { logins, result } = work(await read(path));
        await replace(path, logins);
        return result;
      }),
    );
  return {
    list: () => read(path),
    save: (login) => change((logins) => ({ logins: withLogin(logins, login), result: undefined })),
    remove: (key) =>
      change((logins) => {
        const left = logins.filter((one) => !sameLogin(one, key));
        return { logins: left, result: left.length < logins.length };
      }),
    exclusively: (resource, work) =>
      queue.run(resource, () => withLockFile(`${path}.${nameOf(resource)}.lock`, work)),
  };
}

const text = () => z.optional(z.string());
const SCHEMA = z.object({
  version: z.literal(1),
  logins: z.array(
    z.object({
      issuer: z.string(),
      clientId: z.string(),
      resource: z.string(),
      name: text(),
      account: text(),
      client: z.object({
        client_id: z.string(),
        client_secret: text(),
        client_secret_expires_at: z.optional(z.number()),
        token_endpoint_auth_method: text(),
        redirect_uri: text(),
      }),
      tokens: z.optional(
        z.object({
          access_token: z.string(),
          token_type: z.string(),
          refresh_token: text(),
          scope: text(),
          expiresAt: z.optional(z.number()),
          dpopKey: z.optional(
            z.object({
              kty: z.literal("EC"),
              crv: z.literal("P-256"),
              x: z.string(),
              y: z.string(),
              d: z.string(),
            }),
          ),
        }),
      ),
      missingScope: text(),
      savedAt: z.number(),
    }),
  ),
});

async function read(path: string): Promise<readonly Login[]> {
  const content = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw unusable(path, error.message);
  });
  if (content === undefined) return [];
  // The parser's own message would repeat a part of the file.
  const parsed = SCHEMA.safeParse(parseJson(content));
  if (!parsed.success) throw unusable(path, "it is not a file of logins");
  return parsed.data.logins as readonly Login[];
}

function unusable(path: string, why: string): MCIClientError {
  return new MCIClientError(
    "login_store",
    `The logins in ${path} cannot be used: ${why}. Remove the file and log in again, or repair it.`,
  );
}

/** Readers see the old file or the new one. */
async function replace(path: string, logins: readonly Login[]): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, `${JSON.stringify({ version: 1, logins }, undefined, 2)}\n`, {
      mode: 0o600,
      flag: "wx",
      flush: true,
    });
    // The mode of `writeFile` is subject to the umask, which may take more away, never less.
    await chmod(draft, 0o600);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw unusable(path, (error as Error).message);
  }
}

/** Held by a file with a name of its own inside. A holder that lives touches it; one that has crashed does not. */
async function withLockFile<T>(path: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw unusable(path, error.message);
  });
  const id = randomUUID();
  const deadline = Date.now() + LOCK_WAIT_MS;
  while (!(await create(path, id))) {
    await removeStale(path);
    if (Date.now() > deadline) throw unusable(path, "another process has held its lock for a minute");
    await sleep(LOCK_POLL_MS + Math.random() * LOCK_POLL_MS);
  }
  const touch = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => {}), LOCK_TOUCH_MS);
  touch.unref();
  try {
    return await work();
  } finally {
    clearInterval(touch);
    if ((await contentOf(path)) === id) await rm(path, { force: true });
  }
}

async function create(path: string, id: string): Promise<boolean> {
  try {
    const file = await open(path, "wx", 0o600);
    await file.writeFile(id).finally(() => file.close());
    return true;
  } catch (error) {
    // Windows reports a file that is just being removed as one that may not be opened.
    if (["EEXIST", "EPERM", "EBUSY"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw unusable(path, (error as Error).message);
  }
}

/** Taken away under another name first: of several processes one succeeds, and a lock that was renewed meanwhile is put back. */
async function removeStale(path: string): Promise<void> {
  const seen = await stat(path).catch(() => undefined);
  if (seen === undefined || Date.now() - seen.mtimeMs < LOCK_STALE_MS) return;
  const id = await contentOf(path);
  const aside = `${path}.${randomUUID()}`;
  const taken = await rename(path, aside).then(
    () => true,
    () => false,
  );
  if (!taken) return;
  if ((await contentOf(aside)) !== id) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
}

const contentOf = (path: string) => readFile(path, "utf8").catch(() => undefined);

/** A file name for any address. */
const nameOf = (resource: string) => createHash("sha256").update(resource).digest("hex").slice(0, 32);

const LOCK_POLL_MS = 20;
const LOCK_TOUCH_MS = 2000;
const LOCK_STALE_MS = 15_000;
const LOCK_WAIT_MS = 60_000;
