import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { DatabaseError } from "../database-error.ts";

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

const run = promisify(execFile);

/** PostgreSQL refuses to run as root: then it runs as the user `postgres`, who is created if missing. Others run it themselves. */
export async function serverUser(): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const found = await findUser();
  if (found) return found;
  try {
    await run("useradd", ["--system", "--user-group", "--no-create-home", "postgres"]);
  } catch (error) {
    throw new DatabaseError(
      "embedded_postgres",
      "PostgreSQL does not run as root, and the user postgres could not be created. Run the service as an ordinary user, create the user postgres, or set DATABASE_URL",
      { cause: error },
    );
  }
  return findUser();
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
        `The user postgres, as whom PostgreSQL runs, cannot enter ${folder} to reach ${what}. Run the service as an ordinary user, choose a folder that others may enter, or set DATABASE_URL`,
      );
    }
    if (parent === folder) return;
  }
}

async function findUser(): Promise<SystemUser | undefined> {
  try {
    const id = async (option: string) => Number((await run("id", [option, "postgres"])).stdout);
    return { uid: await id("-u"), gid: await id("-g") };
  } catch {
    return undefined;
  }
}
