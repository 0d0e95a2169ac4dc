import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { DatabaseError } from "../database-error.ts";

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

const DEFAULT_USER = "nobody";

/**
 * PostgreSQL refuses to run as root. Then it runs as another user of the system, who exists already: the one that the setting names,
 * or else the owner of the files that there are, or `nobody`. Not as root the service runs it under its own name: undefined.
 */
export async function serverUser(data: string, name: string | undefined): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(data).catch(() => undefined);
  if (name === undefined && owner !== undefined && owner.uid !== 0) return owner;
  const user = await findUser(name ?? DEFAULT_USER);
  if (owner !== undefined && owner.uid !== user.uid) {
    throw new DatabaseError(
      "embedded_postgres",
      `The files of the embedded PostgreSQL in ${dirname(data)} belong to the user ${owner.uid}, not to ${name ?? DEFAULT_USER}. Run: chown -R ${name ?? DEFAULT_USER} ${dirname(data)}`,
    );
  }
  return user;
}

/** Checks that the user reaches the file. The first folder that is closed is named. */
export async function requireAccess(user: SystemUser, path: string, what: string): Promise<void> {
  for (let folder = dirname(path), parent = ""; folder !== parent; folder = dirname(folder)) {
    parent = dirname(folder);
    const { uid, gid, mode } = await stat(folder);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) {
      throw new DatabaseError(
        "embedded_postgres",
        `PostgreSQL does not run as root, and its user (${user.uid}) cannot enter ${folder} to reach ${what}. ${ADVICE}, or choose a folder that others may enter`,
      );
    }
    if (parent === folder) return;
  }
}

const ADVICE =
  "Run the service as an ordinary user, set DATABASE_URL, name another user of this system with MCI_POSTGRES_USER";

async function findUser(name: string): Promise<SystemUser> {
  try {
    const id = async (option: string) =>
      Number((await promisify(execFile)("id", [option, "--", name])).stdout);
    const user = { uid: await id("-u"), gid: await id("-g") };
    if (user.uid !== 0) return user;
  } catch (cause) {
    throw new DatabaseError(
      "embedded_postgres",
      `PostgreSQL does not run as root, and this system has no user ${name}. ${ADVICE}`,
      { cause },
    );
  }
  throw new DatabaseError("embedded_postgres", `PostgreSQL does not run as root: ${name} is root. ${ADVICE}`);
}
