import { parseArgs } from "node:util";
import type { ScheduleView, TaskView } from "@mci-ts/council";
import { readConfig } from "../config/config.ts";
import type { CommandOutput } from "./command.ts";
import { CommandError } from "./command-error.ts";
import { describe } from "./progress.ts";
import { readJsonFile } from "./read-json-file.ts";
import { type Ask, createAsk } from "./task-client.ts";

const USAGE = `mci-council schedule put NAME FILE        stores a schedule, or replaces the one of that name
mci-council schedule list
mci-council schedule show|pause|resume|delete NAME
mci-council schedule start NAME           starts its task now

  FILE is JSON: { "cron": "0 3 * * *", "timezone": "Europe/Zurich", "task": { … } }
  --url URL   the service. Default: the one at HOST and PORT
  --json      one JSON object per line instead of text

Exit codes: 0 done, 2 a mistake in the command or refused by the service`;

/** `mci-council schedule …`: at a running service. */
export async function runSchedule(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { write }: Pick<CommandOutput, "write">,
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      url: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    write(`${USAGE}\n`);
    return 0;
  }
  const [action = "", ...operands] = positionals;
  const command = Object.hasOwn(COMMANDS, action) ? COMMANDS[action] : undefined;
  if (!command || operands.length !== command.operands) throw new CommandError(USAGE);
  const { host, port, token } = readConfig(env).http;
  const ask = createAsk(values.url ?? `http://${host}:${port}`, token);
  for (const { json, text } of await command.run(ask, operands))
    write(`${values.json ? JSON.stringify(json) : text}\n`);
  return 0;
}

interface Line {
  readonly json: unknown;
  readonly text: string;
}

const pathOf = (name: string) => `/schedules/${encodeURIComponent(name)}`;
const one = async (reply: Promise<ScheduleView>): Promise<Line[]> => [toLine(await reply)];

/** A new action is one more entry. */
const COMMANDS: Readonly<
  Record<string, { readonly operands: number; run(ask: Ask, operands: readonly string[]): Promise<Line[]> }>
> = {
  put: {
    operands: 2,
    run: async (ask, [name, file]) => one(ask("PUT", pathOf(name!), readJsonFile(file!))),
  },
  list: {
    operands: 0,
    run: async (ask) => (await ask<{ schedules: ScheduleView[] }>("GET", "/schedules")).schedules.map(toLine),
  },
  show: { operands: 1, run: (ask, [name]) => one(ask("GET", pathOf(name!))) },
  pause: { operands: 1, run: (ask, [name]) => one(ask("POST", `${pathOf(name!)}/pause`)) },
  resume: { operands: 1, run: (ask, [name]) => one(ask("POST", `${pathOf(name!)}/resume`)) },
  start: {
    operands: 1,
    async run(ask, [name]) {
      const task = await ask<TaskView>("POST", `${pathOf(name!)}/start`);
      return [{ json: task, text: `${task.id}  ${describe(task)}` }];
    },
  },
  delete: {
    operands: 1,
    async run(ask, [name]) {
      return [{ json: await ask("DELETE", pathOf(name!)), text: `${name}  deleted` }];
    },
  },
};

function toLine(schedule: ScheduleView): Line {
  const { name, status, cron, timezone, last_time, last_task } = schedule;
  const last = last_time === null ? "never started" : `last at ${last_time}`;
  const task = last_task ? `, task ${last_task.id} ${last_task.status}` : "";
  return { json: schedule, text: `${name}  ${status}  ${cron} (${timezone})  ${last}${task}` };
}
