import {
  BULK_ACTIONS,
  type BulkAction,
  TASK_STATUSES,
  type TaskQuery,
  type TaskStatus,
} from "@mci-ts/council";
import { CommandError } from "./command-error.ts";
import { describe } from "./progress.ts";
import type { TaskClient } from "./task-client.ts";

export interface ManyOptions {
  readonly status: string | undefined;
  readonly name: string | undefined;
  readonly all: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly write: (text: string) => void;
}

/** `list`, and an action on all tasks that a filter names: page by page, until there are no more. */
export async function actOnMany(action: string, client: TaskClient, options: ManyOptions): Promise<number> {
  const filter = readFilter(options);
  if (action === "list") return list(client, filter, options);
  const { json, write, dryRun } = options;
  const bulk = requireBulk(action);
  if (Object.keys(filter).length === 0 && !options.all)
    throw new CommandError(`${action} needs an ID, or --status, --name or --all for many tasks`);
  if (dryRun) {
    const matched = await client.count(bulk, filter);
    write(
      json ? `${JSON.stringify({ action, matched })}\n` : `${action} would be sent to ${matched} tasks\n`,
    );
    return 0;
  }
  let done = 0;
  let refused = 0;
  for (let after: string | undefined, more = true; more; ) {
    const result = await client.bulk(bulk, { ...filter, after });
    done += result.done;
    refused += result.refused.length;
    if (json) write(`${JSON.stringify(result)}\n`);
    else for (const { id, message } of result.refused) write(`${id}  refused: ${message}\n`);
    ({ more } = result);
    after = result.next_cursor ?? undefined;
  }
  if (!json) write(`${action}: ${done} tasks, ${refused} refused\n`);
  return refused > 0 ? 2 : 0;
}

async function list(client: TaskClient, filter: TaskQuery, { json, write }: ManyOptions): Promise<number> {
  for (let after: string | undefined, more = true; more; ) {
    const page = await client.list({ ...filter, limit: 100, after });
    for (const task of page.tasks)
      write(json ? `${JSON.stringify(task)}\n` : `${task.id}  ${task.name ?? "-"}  ${describe(task)}\n`);
    after = page.next_cursor ?? undefined;
    more = after !== undefined;
  }
  return 0;
}

function readFilter({ status, name }: ManyOptions): TaskQuery {
  if (status !== undefined && !TASK_STATUSES.includes(status as TaskStatus))
    throw new CommandError(`--status must be one of ${TASK_STATUSES.join(", ")}`);
  return {
    ...(status === undefined ? {} : { status: status as TaskStatus }),
    ...(name === undefined ? {} : { name }),
  };
}

function requireBulk(action: string): BulkAction {
  if (!BULK_ACTIONS.includes(action as BulkAction)) throw new CommandError(`${action} needs an ID`);
  return action as BulkAction;
}
