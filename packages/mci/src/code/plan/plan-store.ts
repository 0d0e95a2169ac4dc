import { MCIClientError } from "../../errors.ts";
import type { Plan } from "./plan.ts";

/** Where plans and their journals are kept: a folder, or a database. */
export interface PlanStore {
  save(plan: Plan): Promise<void>;
  /** The ids of all plans, in no order. */
  ids(): Promise<string[]>;
  /** Throws where there is no such plan, or it is not as it was made. */
  load(id: string): Promise<Plan>;
  /** The last state of each entry that was begun. */
  states(id: string): Promise<Map<number, JournalRecord>>;
  /** Whether a process is committing it. */
  isBusy(id: string): Promise<boolean>;
  /** The journal, for one process at a time. */
  open(id: string): Promise<Journal>;
  /** Removes a plan of which nothing was begun. */
  discard(id: string): Promise<void>;
}

/** One line of a journal: what is about to happen to an entry, or what has happened. */
export interface JournalRecord {
  readonly entry: number;
  readonly state: "started" | "done" | "failed" | "unknown";
  readonly at: string;
  /** What the tool returned, or its error. */
  readonly text?: string;
}

export interface Journal {
  /** On disk when it returns. */
  write(record: Omit<JournalRecord, "at">): Promise<void>;
  close(): Promise<void>;
}

export const beganError = (id: string) =>
  new MCIClientError(
    "plan_begun",
    `The plan '${id}' was begun: its journal says what it has changed, and stays.`,
  );
