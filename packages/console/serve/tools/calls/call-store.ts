import type { CallRecord } from "../types.ts";

/** Where calls outlive the process. What throws is reported to the page, and the calls go on in memory. */
export interface CallStore {
  /** For a person: the path of the file. */
  readonly place: string;
  /** The newest calls, oldest first. */
  load(most: number): readonly CallRecord[];
  /** A number that no other call has, also of another process. */
  nextId(): number;
  /** Stores a call, with its details as JSON once it is over; without secrets. `onError` is called if that fails later. */
  save(record: CallRecord, detail: string | undefined, onError: (error: Error) => void): void;
  detail(id: number): string | undefined;
  remove(id: number, onError: (error: Error) => void): void;
  /** Removes every call that is over. */
  clear(): Promise<void>;
  /** Waits for what is being written. */
  close(): Promise<void>;
}
