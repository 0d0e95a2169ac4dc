import type { TaskInstance } from "@mci-ts/council";
import { Task } from "../../api/task-schemas.ts";
import { type AppContext, defineRoute, failure, type Route, success } from "../../http/route.ts";
import type { CouncilService } from "../../service.ts";
import { ServiceError } from "../../service-error.ts";
import { toTaskError } from "../../tasks/task-service.ts";

export const taskFailures = {
  404: failure("The task does not exist."),
  409: failure("The status of the task does not allow it; the message says what is possible."),
  503: failure("Tasks cannot be reached at the moment, or what they need is not installed."),
};

/** Works with the tasks that there are. Where none was ever started, nothing is started to find that out. */
export async function withTasks<T>(
  service: CouncilService,
  work: (tasks: TaskInstance) => Promise<T>,
  none: () => T = notFound,
): Promise<T> {
  const opened = service.tasks.current();
  if (opened === undefined) return none();
  try {
    return await work(await opened);
  } catch (error) {
    throw toTaskError(error);
  }
}

function notFound(): never {
  throw new ServiceError("not_found", "There is no such task");
}

/** `POST /tasks/:id/<action>`: answers with the task as it is then. */
export function taskAction(
  action: string,
  summary: string,
  act: (tasks: TaskInstance, id: string, c: AppContext) => Promise<object>,
  more: Partial<Pick<Route, "query">> & { readonly status?: 200 | 202 } = {},
): Route {
  const { status = 200, ...options } = more;
  return defineRoute({
    method: "post",
    path: `/tasks/:id/${action}`,
    summary,
    ...options,
    responses: {
      [status]: success("The task.", Task),
      400: failure("The request is invalid."),
      ...taskFailures,
    },
    handle: (c, service) =>
      withTasks(service, async (tasks) => {
        const task = await act(tasks, c.req.param("id") ?? "", c);
        const headers: Record<string, string> =
          status === 202 ? { location: `/tasks/${(task as { id: string }).id}` } : {};
        return Response.json(task, { status, headers });
      }),
  });
}
