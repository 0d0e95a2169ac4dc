import { BulkRequest, BulkResponse } from "../../api/task-schemas.ts";
import { defineRoute, failure, success } from "../../http/route.ts";
import { taskFailures, withTasks } from "./task-route.ts";

/** One action on many tasks, by their ids or by what they have in common. */
export const bulkActions = defineRoute({
  method: "post",
  path: "/tasks/actions",
  summary: "Pause, resume, retry, cancel or delete many tasks",
  body: BulkRequest,
  responses: {
    200: success("What became of it. With `dry_run` only how many tasks it names.", BulkResponse),
    400: failure("The request is invalid."),
    503: taskFailures[503],
  },
  handle: (_, service, { action, ids, filter, limit, dry_run }) =>
    withTasks(
      service,
      async (tasks) => {
        if (dry_run) return Response.json({ action, matched: ids?.length ?? (await tasks.count(filter!)) });
        const { cursor: after, ...query } = filter ?? {};
        return Response.json(await tasks.bulk(action, ids ?? { ...query, after, limit }));
      },
      () => Response.json(dry_run ? { action, matched: 0 } : { action, ...NOTHING }),
    ),
});

const NOTHING = { done: 0, refused: [], more: false, next_cursor: null };
