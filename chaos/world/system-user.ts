import { chownSync } from "node:fs";
import {
  type SystemUser,
  serverUser,
} from "../../packages/council-postgres/src/database/embedded/system-user.ts";

export type { SystemUser };

/** PostgreSQL and pgbouncer refuse to run as root; then they run as the user `nobody`. */
export const unprivilegedUser = () => serverUser("", undefined);

export function giveTo(user: SystemUser | undefined, path: string): void {
  if (user) chownSync(path, user.uid, user.gid);
}
