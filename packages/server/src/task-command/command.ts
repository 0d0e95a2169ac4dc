import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { TaskView } from "@mci-ts/council";
import { ConfigError, readConfig } from "../config/config.ts";
import { HttpError } from "../http/errors.ts";
import { httpClient, localClient, type TaskClient } from "./client.ts";
import { describe, showProgress } from "./progress.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface CommandOutput {
  /** Standard output: results. */
  readonly write: (text: string) => void;
  /** Standard error: progress. */
  readonly progress: (text: string) => void;
  readonly isTerminal: boolean;
}

const USAGE =
  "mci-council task run FILE | status ID | pause ID | resume ID | cancel ID | fork ID --step N   [--url URL] [--json]";

/** What the command leaves as its exit code: a task that waits for a person is no failure, but not done either. */
const EXIT_CODES: Partial<Record<TaskView["status"], number>> = { paused: 3, failed: 1, cancelled: 1 };

/** `mci-council task …`: at the service that --url names; `run` without it works in this process. */
export async function runTask(args: readonly string[], env: Env, output: CommandOutput): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { url: { type: "string" }, step: { type: "string" }, json: { type: "boolean", default: false } },
  });
  const [action = "", target, ...more] = positionals;
  if (!Object.hasOwn(ACTIONS, action) || target === undefined || more.length > 0)
    throw new ConfigError([USAGE]);
  // Read before anything is started.
  const spec = action === "run" ? readSpec(target) : undefined;
  const client = await openClient(action, values.url, env, output);
  try {
    const form = values.json ? "json" : output.isTerminal ? "bar" : "lines";
    const print = values.json ? output.write : output.progress;
    const watch = (id: string) => showProgress({ get: () => client.get(id), print, form });
    const task = await ACTIONS[action]!({ client, target, spec, step: values.step, watch });
    if (!values.json)
      output.write(`${action === "run" ? resultOf(task) : `${task.id}  ${describe(task)}`}\n`);
    else if (action !== "run") output.write(`${JSON.stringify(task)}\n`);
    return action === "run" ? (EXIT_CODES[task.status] ?? 0) : 0;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    throw new ConfigError(
      error.details.length > 0 ? error.details.map(({ message }) => message) : [error.message],
    );
  } finally {
    await client.close();
  }
}

interface ActionInput {
  readonly client: TaskClient;
  /** A file, or the id of a task. */
  readonly target: string;
  readonly spec: unknown;
  readonly step: string | undefined;
  readonly watch: (id: string) => Promise<TaskView>;
}

/** A new action is one more entry. */
const ACTIONS: Readonly<Record<string, (input: ActionInput) => Promise<TaskView>>> = {
  run: async ({ client, spec, watch }) => watch((await client.create(spec)).id),
  status: ({ client, target }) => client.get(target),
  pause: ({ client, target }) => client.act(target, "pause"),
  resume: ({ client, target }) => client.act(target, "resume"),
  cancel: ({ client, target }) => client.act(target, "cancel"),
  async fork({ client, target, step }) {
    const number = Number(step);
    if (!Number.isInteger(number) || number < 1)
      throw new ConfigError(["fork needs --step N, the first step that the new task decides itself"]);
    return client.fork(target, number);
  },
};

function readSpec(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new ConfigError([`${file} cannot be read as JSON: ${(error as Error).message}`]);
  }
}

async function openClient(
  action: string,
  url: string | undefined,
  env: Env,
  { progress }: CommandOutput,
): Promise<TaskClient> {
  const config = readConfig(env);
  const { host, port, token } = config.http;
  if (url !== undefined) return httpClient(url, token);
  if (action !== "run") return httpClient(`http://${host}:${port}`, token);
  const { openService } = await import("../server.ts");
  const service = await openService(config, { log: (message) => progress(`${message}\n`) });
  const close = async () => {
    await service.close(1000);
    await service.store.close();
  };
  return localClient(service.tasks, close);
}

/** The result itself, so that it can be piped on; without one, what is known. */
function resultOf(task: TaskView): string {
  if (task.result === undefined) return `${task.id}  ${describe(task)}`;
  return typeof task.result === "string" ? task.result : JSON.stringify(task.result, null, 2);
}
