import { ServiceError } from "../service-error.ts";
import type { StoredRun } from "../store/records.ts";
import type { Store } from "../store/store.ts";

/** Awaits a read of the history; a failure becomes `history_unavailable`. */
export async function readHistory<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    throw new ServiceError("history_unavailable", `The history cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

export async function findRun(store: Store, id: string): Promise<StoredRun> {
  const run = await readHistory(store.get(id));
  if (!run) throw runNotFound(id);
  return run;
}

export function runNotFound(id: string): ServiceError {
  return new ServiceError(
    "not_found",
    `Run "${id}" does not exist; it may have been removed from the history`,
  );
}
