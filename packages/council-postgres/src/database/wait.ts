import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "@mci-ts/council";
import { CERTIFICATE_ERRORS, type Database, isConnectionLost } from "./database.ts";
import { DatabaseError } from "./database-error.ts";
import { requireOwnSessions } from "./own-session.ts";
import { isTemporary } from "./temporary.ts";

export interface WaitOptions {
  /** How long to wait for a server that does not answer yet. 0: not at all. */
  readonly waitMs: number;
  readonly log: Log;
}

/**
 * Resolves when the database takes statements. A server that starts, recovers or is moved to another machine is waited for; what
 * waiting does not change, such as a wrong password, is an error at once.
 */
export async function waitForDatabase(database: Database, { waitMs, log }: WaitOptions): Promise<void> {
  const deadline = performance.now() + waitMs;
  let waiting = false;
  for (;;) {
    try {
      await database.query("SELECT 1");
      await requireOwnSessions(database);
      if (waiting) log(`${database.description}: the database is ready`, { level: "info" });
      return;
    } catch (error) {
      if (!mayPass(error)) throw error;
      if (performance.now() >= deadline)
        throw waiting ? withWaitingTime(error as DatabaseError, waitMs) : error;
      if (!waiting) log(`${(error as Error).message}. Waiting up to ${inSeconds(waitMs)} seconds for it`);
      waiting = true;
      await sleep(Math.min(RETRY_MS, Math.max(1, deadline - performance.now())));
    }
  }
}

const RETRY_MS = 250;

/**
 * Repeats what needs the database at startup while it may come back: a connection that is lost in the middle says as little about
 * the settings as one that is refused.
 */
export async function repeatWhileAway<T>(
  work: (waitMs: number) => Promise<T>,
  { waitMs, log }: WaitOptions,
): Promise<T> {
  const deadline = performance.now() + waitMs;
  for (let repeated = false; ; repeated = true) {
    try {
      return await work(Math.max(0, deadline - performance.now()));
    } catch (error) {
      if (!mayPass(error)) throw error;
      if (performance.now() >= deadline)
        throw repeated && error instanceof DatabaseError ? withWaitingTime(error, waitMs) : error;
      log(`${(error as Error).message}. Starting again`);
      await sleep(RETRY_MS);
    }
  }
}

/** 57P: starting, recovering or shutting down. 53300: all connections are taken, as by the instances that this one replaces. */
function mayPass(error: unknown): boolean {
  // The error comes from a connection beside the pool.
  if (!(error instanceof DatabaseError)) return isTemporary(error) || isConnectionLost(error);
  if (error.code !== "database_unavailable" && error.code !== "database_busy") return false;
  const { code = "" } = error.cause as { code?: string };
  return !/^(28|3D000|42501|ENOTFOUND|EACCES|EPERM)/.test(code) && !CERTIFICATE_ERRORS.test(code);
}

/** Of several waits, one within another, the longest. */
function withWaitingTime({ code, message, cause }: DatabaseError, waitMs: number): DatabaseError {
  const reason = message.replace(/\. Waited [\d.]+ seconds for it$/, "");
  return new DatabaseError(code, `${reason}. Waited ${inSeconds(waitMs)} seconds for it`, { cause });
}

const inSeconds = (ms: number) => Math.round(ms / 100) / 10;
