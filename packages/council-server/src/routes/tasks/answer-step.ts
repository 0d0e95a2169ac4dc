import { z } from "zod";
import { Task } from "../../api/task-schemas.ts";
import { parse } from "../../http/parse.ts";
import { defineRoute, failure, success } from "../../http/route.ts";
import { wholeNumber } from "../../http/unstorable-text.ts";
import { taskFailures, withTasks } from "./task-route.ts";

const params = z.object({ n: wholeNumber(1) });

/** A person decides a step that the vote left open. */
export const answerStep = defineRoute({
  method: "post",
  path: "/tasks/:id/steps/:n",
  summary: "Answer a step that stayed undecided, and go on",
  body: z
    .strictObject({
      answer: z.unknown().describe("Of `steps` an object of step.answer, of `plan` the result as text."),
    })
    .meta({ id: "StepAnswer" }),
  responses: {
    200: success("The task.", Task),
    400: failure("The answer does not fit."),
    ...taskFailures,
  },
  handle(c, service, { answer }) {
    const { n } = parse(params, { n: c.req.param("n") }, "path");
    return withTasks(service, async (tasks) =>
      Response.json(await tasks.answer(c.req.param("id") ?? "", n, answer)),
    );
  },
});
