import { parseArgs } from "node:util";
import type { TaskView } from "@mci-ts/council";
import { readConfig } from "../config/config.ts";
import { ServiceError } from "../service-error.ts";
import { CommandError } from "./command-error.ts";
import { actOnMany } from "./many-tasks.ts";
import { describe, showProgress } from "./progress.ts";
import { readJsonFile } from "./read-json-file.ts";
import { httpClient, localClient, type RunClient, type TaskClient } from "./task-client.ts";

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
mci-council task list                  all tasks, newest first; --status and --name choose some
mci-council task pause|resume|retry|cancel|delete ID
mci-council task pause|resume|retry|cancel|delete --status STATUS --name WORDS
                                       all tasks with this status and these words in their name; --all for every task
mci-council task fork ID --step N      a new task that takes over what comes before step N

  --dry-run   only count the tasks that an action would be sent to
  --url URL   the service. Default: run works in this process, the others ask the service at HOST and PORT
  --json      one JSON object per line instead of text

Exit codes: 0 done, 1 the task failed or was cancelled, 2 a mistake in the command or refused by the service,
3 the task is paused, 130 stopped before the task was over`;

/** What the command leaves as its exit code: a task that waits for a person has not failed, but is not done either. */
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
      status: { type: "string" },
      name: { type: "string" },
      all: { type: "boolean", default: false },
      "dry-run": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    output.write(`${USAGE}\n`);
    return 0;
  }
  const [action = "", target, ...more] = positionals;
  const isMany = action === "list" || values.all || values.status !== undefined || values.name !== undefined;
  const isKnown = ["run", "list", "delete"].includes(action) || Object.hasOwn(ACTIONS, action);
  if (!isKnown || (target === undefined) !== isMany || more.length > 0) throw new CommandError(USAGE);
  if (values.step !== undefined && action !== "fork") throw new CommandError("--step goes with fork");
  if (values.name?.trim() === "")
    throw new CommandError("--name needs words of the name; leave it out for tasks of every name");
  // Read before anything is started.
  const spec = action === "run" ? readJsonFile(target!) : undefined;
  const local = action === "run" && values.url === undefined;
  const client = local ? await openService(env, output) : openClient(values.url, env);
  try {
    if (isMany)
      return await actOnMany(action, client as TaskClient, {
        ...{ status: values.status, name: values.name, all: values.all, json: values.json },
        ...{ dryRun: values["dry-run"], write: output.write },
      });
    if (values["dry-run"]) throw new CommandError("--dry-run goes with --status, --name or --all");
    const form = values.json ? "json" : output.isTerminal ? "bar" : "lines";
    const print = values.json ? output.write : output.progress;
    const { stopped } = output;
    const watch = (id: string) => showProgress({ get: () => client.get(id), print, form, stopped });
    if (action === "delete") {
      await (client as TaskClient).delete(target!);
      output.write(
        values.json ? `${JSON.stringify({ id: target, status: "deleted" })}\n` : `${target}  deleted\n`,
      );
      return 0;
    }
    const task =
      action === "run"
        ? await watch((await client.create(spec)).id)
        : await ACTIONS[action]!({ client: client as TaskClient, target: target!, step: values.step });
    if (action === "run" && stopped?.aborted) {
      output.progress(`\n${howToGoOn(task, values.url, env)}\n`);
      return STOPPED;
    }
    if (!values.json)
      output.write(`${action === "run" ? formatTaskResult(task) : `${task.id}  ${describe(task)}`}\n`);
    else if (action !== "run") output.write(`${JSON.stringify(task)}\n`);
    return action === "run" ? (EXIT_CODES[task.status] ?? 0) : 0;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new CommandError(error.details.map(({ message }) => message).join("\n") || error.message);
  } finally {
    await client.close();
  }
}

interface ActionInput {
  readonly client: TaskClient;
  /** The id of a task. */
  readonly target: string;
  readonly step: string | undefined;
}

/** A new action is one more entry. */
const ACTIONS: Readonly<Record<string, (input: ActionInput) => Promise<TaskView>>> = {
  status: ({ client, target }) => client.get(target),
  pause: ({ client, target }) => client.act(target, "pause"),
  resume: ({ client, target }) => client.act(target, "resume"),
  retry: ({ client, target }) => client.act(target, "retry"),
  cancel: ({ client, target }) => client.act(target, "cancel"),
  async fork({ client, target, step }) {
    if (!/^[1-9]\d{0,8}$/.test(step ?? ""))
      throw new CommandError(
        "fork needs --step N, a whole number from 1: the first step that the new task decides itself",
      );
    return client.fork(target, Number(step));
  },
};

function openClient(url: string | undefined, env: Env): TaskClient {
  const { host, port, token } = readConfig(env).http;
  return httpClient(url ?? `http://${host}:${port}`, token);
}

async function openService(env: Env, { progress }: CommandOutput): Promise<RunClient> {
  const { openService: open } = await import("../server.ts");
  const service = await open(readConfig(env), { log: (message) => progress(`${message}\n`) });
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
function formatTaskResult(task: TaskView): string {
  if (task.result === undefined) return `${task.id}  ${describe(task)}`;
  return typeof task.result === "string" ? task.result : JSON.stringify(task.result, null, 2);
}
