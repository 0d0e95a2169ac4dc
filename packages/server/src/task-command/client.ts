import type { TaskView } from "@mci-ts/council";
import type { TaskService } from "../tasks/task-service.ts";
import { CommandError } from "./command-error.ts";

/** What the command does with tasks: at a running service, or in this process. */
export interface TaskClient {
  create(spec: unknown): Promise<{ readonly id: string }>;
  get(id: string): Promise<TaskView>;
  act(id: string, action: "pause" | "resume" | "cancel"): Promise<TaskView>;
  fork(id: string, step: number): Promise<TaskView>;
  close(): Promise<void>;
}

export function httpClient(base: string, token: string | undefined): TaskClient {
  const url = base.replace(/(?<!\/)\/+$/, "");
  return {
    create: (spec) => ask("POST", "/tasks", spec),
    get: (id) => ask("GET", `/tasks/${encodeURIComponent(id)}`),
    act: (id, action) => ask("POST", `/tasks/${encodeURIComponent(id)}/${action}`),
    fork: (id, step) => ask("POST", `/tasks/${encodeURIComponent(id)}/fork?step=${step}`),
    close: async () => {},
  };

  async function ask<T>(method: "GET" | "POST", path: string, body?: unknown): Promise<T> {
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
  }
}

function messageOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error: { message: string } };
    return error.message;
  } catch {
    return text.slice(0, 300);
  }
}

/** Nothing is started for a task that is invalid. */
export function localClient(tasks: TaskService, close: () => Promise<void>): TaskClient {
  return {
    create: (spec) => tasks.create(spec),
    get: async (id) => (await tasks.open()).get(id),
    act: async (id, action) => (await tasks.open())[action](id),
    fork: async (id, step) => (await tasks.open()).fork(id, step),
    close,
  };
}
