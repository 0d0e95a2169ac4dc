import { z } from "zod";
import { RunCall, RunCalls } from "../../api/call-schemas.ts";
import { parse } from "../../http/parse.ts";
import { defineRoute, failure, success } from "../../http/route.ts";
import { wholeNumber } from "../../http/unstorable-text.ts";
import { readCalls } from "../../runs/calls/read-calls.ts";
import { ServiceError } from "../../service-error.ts";
import { findRun } from "../../store/read-history.ts";

const responses = {
  404: failure("The run or the call does not exist."),
  503: failure("The history cannot be read at the moment."),
};

/** Every model call of a run that is over: prompt, reply, and what became of it. */
export const runCalls = defineRoute({
  method: "get",
  path: "/runs/:id/calls",
  summary: "Show the model calls of a run with their prompts and replies",
  responses: {
    200: success("The calls that have ended.", RunCalls),
    ...responses,
  },
  async handle(c, { store }) {
    const { id } = await findRun(store, c.req.param("id") ?? "");
    return Response.json({ calls: await readCalls(store, id) } satisfies RunCalls);
  },
});

/** One of them. */
export const runCall = defineRoute({
  method: "get",
  path: "/runs/:id/calls/:call",
  summary: "Show one model call of a run",
  responses: { 200: success("The call.", RunCall), ...responses },
  async handle(c, service) {
    const { store } = service;
    const { id } = await findRun(store, c.req.param("id") ?? "");
    const number = z.object({ call: wholeNumber(1) });
    const { call } = parse(number, { call: c.req.param("call") }, "path");
    const [found] = await readCalls(store, id, call);
    if (!found)
      throw new ServiceError(
        "not_found",
        service.config.store.replyChars === 0
          ? "Calls are not recorded here: MCI_STORE_REPLIES is 0"
          : `Run "${id}" has no record of call ${call}: it is in flight, was made by an earlier version, or was never made`,
      );
    return Response.json(found satisfies RunCall);
  },
});
