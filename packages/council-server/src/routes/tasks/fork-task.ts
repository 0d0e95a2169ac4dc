import { z } from "zod";
import { parse } from "../../http/parse.ts";
import { MAX_INTEGER } from "../../http/unstorable-text.ts";
import { taskAction } from "./task-route.ts";

const query = z.object({
  step: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_INTEGER)
    .describe("The first step that the new task decides itself; it takes over those before."),
});

export const forkTask = taskAction(
  "fork",
  "Start a new task from a step of this one",
  (tasks, id, c) => tasks.fork(id, parse(query, c.req.query(), "query").step),
  { query, status: 202 },
);
