import type { BulkAction, BulkResult, TaskFilter, TaskQuery, TaskView } from "@mci-ts/council";
import type { TaskService } from "../tasks/task-service.ts";
import { CommandError } from "./command-error.ts";

/** What `run` does: at a running service, or in this process. */
export interface RunClient {
  create(spec: unknown): Promise<{ readonly id: string }>;
  get(id: string): Promise<TaskView>;
  close(): Promise<void>;
}

/** What the command does with the tasks of a service. */
export interface TaskClient extends RunClient {
  act(id: string, action: Exclude<BulkAction, "delete">): Promise<TaskView>;
  delete(id: string): Promise<void>;
  list(
    filter: TaskFilter,
  ): Promise<{ readonly tasks: readonly TaskView[]; readonly next_cursor: string | null }>;
  count(action: BulkAction, filter: TaskQuery): Promise<number>;
  bulk(action: BulkAction, filter: Omit<TaskFilter, "limit">): Promise<BulkResult>;
  fork(id: string, step: number): Promise<TaskView>;
}

export function httpClient(base: string, token: string | undefined): TaskClient {
  const ask = createAsk(base, token);
  return {
    create: (spec) => ask("POST", "/tasks", spec),
    get: (id) => ask("GET", `/tasks/${encodeURIComponent(id)}`),
    act: (id, action) => ask("POST", `/tasks/${encodeURIComponent(id)}/${action}`),
    delete: (id) => ask("DELETE", `/tasks/${encodeURIComponent(id)}`),
    list: ({ after, ...filter }) => ask("GET", `/tasks?${queryOf({ ...filter, cursor: after })}`),
    count: async (action, filter) =>
      (await ask<{ matched: number }>("POST", "/tasks/actions", { action, filter, dry_run: true })).matched,
    bulk: (action, { after, ...filter }) =>
      ask("POST", "/tasks/actions", { action, filter: { ...filter, cursor: after } }),
    fork: (id, step) => ask("POST", `/tasks/${encodeURIComponent(id)}/fork?step=${step}`),
    close: async () => {},
  };
}

export type Ask = <T>(method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: unknown) => Promise<T>;

/** Sends a request to a service. What it refuses is an error of the command, with the service's own words. */
export function createAsk(base: string, token: string | undefined): Ask {
  if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol))
    throw new CommandError(
      `--url: ${JSON.stringify(base)} is not the address of a service, such as http://127.0.0.1:8338`,
    );
  const url = base.replace(/(?<!\/)\/+$/, "");
  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      const { cause } = error as { cause?: { code?: string } };
      throw new CommandError(
        `${url} cannot be reached (${cause?.code ?? error.message}): start the service with mci-council, or name it with --url`,
      );
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as T;
    throw new CommandError(`${response.status}: ${messageOf(text)}`);
  };
}

function queryOf(values: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const entries = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return new URLSearchParams(entries).toString();
}

function messageOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error: { message: string } };
    return error.message;
  } catch {
    return text.slice(0, 300);
  }
}

/** For `run`, which works in this process. Nothing is started for a task that is invalid. */
export function localClient(tasks: TaskService, close: () => Promise<void>): RunClient {
  return {
    create: (spec) => tasks.create(spec),
    get: async (id) => (await tasks.open()).get(id),
    close,
  };
}
