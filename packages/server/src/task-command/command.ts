import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { TaskView } from "@mci-ts/council";
import { readConfig } from "../config/config.ts";
import { HttpError } from "../http/errors.ts";
import { httpClient, localClient, type TaskClient } from "./client.ts";
import { CommandError } from "./command-error.ts";
import { describe, showProgress } from "./progress.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface CommandOutput {
  /** Standard output: results. */
  readonly write: (text: string) => void;
  /** Standard error: progress. */
  readonly progress: (text: string) => void;
  readonly isTerminal: boolean;
  /** Aborts when the user stops the command. Default: never. */
  readonly stopped?: AbortSignal;
}

const USAGE = `mci-council task run FILE              runs a task and shows its progress
mci-council task status ID             how far a task is
mci-council task pause|resume|cancel ID
mci-council task fork ID --step N      a new task that takes over what comes before step N

  --url URL   the service. Default: run works in this process, the others ask the service at HOST and PORT
  --json      one JSON object per line instead of text

Exit codes: 0 done, 1 the task failed or was cancelled, 2 a mistake in the command or refused by the service,
3 the task is paused, 130 stopped before the task was over`;

/** What the command leaves as its exit code: a task that waits for a person is no failure, but not done either. */
const EXIT_CODES: Partial<Record<TaskView["status"], number>> = { paused: 3, failed: 1, cancelled: 1 };
const STOPPED = 130;

/** `mci-council task …`: at the service that --url names; `run` without it works in this process. */
export async function runTask(args: readonly string[], env: Env, output: CommandOutput): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      url: { type: "string" },
      step: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    output.write(`${USAGE}\n`);
    return 0;
  }
  const [action = "", target, ...more] = positionals;
  if (!Object.hasOwn(ACTIONS, action) || target === undefined || more.length > 0)
    throw new CommandError(USAGE);
  // Read before anything is started.
  const spec = action === "run" ? readSpec(target) : undefined;
  const client = await openClient(action, values.url, env, output);
  try {
    const form = values.json ? "json" : output.isTerminal ? "bar" : "lines";
    const print = values.json ? output.write : output.progress;
    const { stopped } = output;
    const watch = (id: string) => showProgress({ get: () => client.get(id), print, form, stopped });
    const task = await ACTIONS[action]!({ client, target, spec, step: values.step, watch });
    if (action === "run" && stopped?.aborted) {
      output.progress(`\n${howToGoOn(task, values.url, env)}\n`);
      return STOPPED;
    }
    if (!values.json)
      output.write(`${action === "run" ? resultOf(task) : `${task.id}  ${describe(task)}`}\n`);
    else if (action !== "run") output.write(`${JSON.stringify(task)}\n`);
    return action === "run" ? (EXIT_CODES[task.status] ?? 0) : 0;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    throw new CommandError(error.details.map(({ message }) => message).join("\n") || error.message);
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
      throw new CommandError("fork needs --step N, the first step that the new task decides itself");
    return client.fork(target, number);
  },
};

function readSpec(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new CommandError(`${file} cannot be read as JSON: ${(error as Error).message}`);
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

/** A task does not end with the command that watches it, where it is kept. */
function howToGoOn({ id }: TaskView, url: string | undefined, env: Env): string {
  if (url !== undefined) return `The task goes on. See: mci-council task status ${id} --url ${url}`;
  if (env["DATABASE_URL"] || env["MCI_DATA_DIR"])
    return `Task ${id} is stored. It goes on when the service starts: mci-council`;
  return "The task is lost: set MCI_DATA_DIR or DATABASE_URL to keep tasks.";
}

/** The result itself, so that it can be piped on; without one, what is known. */
function resultOf(task: TaskView): string {
  if (task.result === undefined) return `${task.id}  ${describe(task)}`;
  return typeof task.result === "string" ? task.result : JSON.stringify(task.result, null, 2);
}
