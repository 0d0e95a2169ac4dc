import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { z } from "zod";
import type { CouncilService } from "../service.ts";
import { ErrorBody } from "./api-schemas.ts";
import type { HttpError } from "./errors.ts";
import type { StreamOptions } from "./sse.ts";

export type AppContext = Context<{ Bindings: HttpBindings; Variables: { route: string } }>;

/** One operation of the API: what it takes, what it answers, and the code that does it. The API's description is made from it. */
export interface Route<Body = unknown> {
  readonly method: "get" | "post" | "delete";
  /** In the manner of Hono: `/runs/:id`. */
  readonly path: string;
  readonly summary: string;
  /** Answered without a token and without counting against the rate limit. Default false. */
  readonly public?: boolean;
  /** Read and checked before the handler is called. Default: no body. */
  readonly body?: z.ZodType<Body>;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly responses: Readonly<Record<number, ResponseDoc>>;
  /** How failures look, where a protocol wants them its own way. Default: the service's error body. */
  readonly failure?: { readonly schema: z.ZodType; readonly body: (error: HttpError) => unknown };
  readonly handle: (c: AppContext, service: CouncilService, body: Body) => Response | Promise<Response>;
}

export interface ResponseDoc {
  readonly description: string;
  /** Bodies by media type; a schema where there is one. */
  readonly content?: Readonly<Record<string, z.ZodType | undefined>>;
}

/** Lets the handler's body have the type of its schema, and the table of routes one type. */
export function defineRoute<Body = undefined>(route: Route<Body>): Route {
  return route as Route;
}

/** A failure, in the service's own shape unless told otherwise. */
export function failure(description: string, schema: z.ZodType = ErrorBody): ResponseDoc {
  return { description, content: { "application/json": schema } };
}

/** An answer in JSON. Its headers stay a plain object, which is sent as it is; `Response.json` would build and unbuild another. */
export function jsonResponse(
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

/** What a stream of events needs to know of the request it answers. */
export function streamOptions(
  c: AppContext,
  { log }: CouncilService,
): Pick<StreamOptions, "outgoing" | "log"> {
  return { outgoing: c.env.outgoing, log };
}

/** Aborts when the client hangs up before its answer is complete. */
export function clientSignal(c: AppContext): AbortSignal {
  const { outgoing } = c.env;
  const controller = new AbortController();
  const gone = () => {
    if (!outgoing.writableFinished) controller.abort(new Error("the client went away"));
  };
  if (outgoing.destroyed) gone();
  else outgoing.once("close", gone);
  return controller.signal;
}
