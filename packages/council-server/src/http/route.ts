import type { HttpBindings } from "@hono/node-server";
import { networkOf } from "@mci-ts/http-guard";
import type { Context } from "hono";
import type { z } from "zod";
import { ErrorBody } from "../api/api-schemas.ts";
import type { CouncilService } from "../service.ts";
import { ServiceError } from "../service-error.ts";
import type { StreamOptions } from "./sse.ts";

export type AppContext = Context<{ Bindings: HttpBindings; Variables: { route: string } }>;

/** One operation of the API: its input, its responses and its handler. The OpenAPI document is generated from it. */
export interface Route<Body = unknown> {
  readonly method: "get" | "post" | "put" | "delete";
  /** Hono syntax: `/runs/:id`. */
  readonly path: string;
  readonly summary: string;
  /** Needs no token; "limited": but counts against the rate limit, which other such endpoints do not. Default false. */
  readonly public?: boolean | "limited";
  /** Behind an issuer only an admin may use it: it is about the whole service. Default false. */
  readonly admin?: boolean;
  /** Schema of the body, checked before the handler is called. Default: no body. */
  readonly body?: z.ZodType<Body>;
  /** Reads the body where it is not just checked. Default: as its schema says. */
  readonly readBody?: (value: unknown) => Body;
  /** Takes the whole conversation of an agent, which may be far longer than other requests. Default false. */
  readonly isConversation?: boolean;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly responses: Readonly<Record<number, ResponseDoc>>;
  /** The error shape, for protocols that define their own. Default: the service's error body. */
  readonly failure?: { readonly schema: z.ZodType; readonly body: (error: ServiceError) => unknown };
  readonly handle: (c: AppContext, service: CouncilService, body: Body) => Response | Promise<Response>;
}

export interface ResponseDoc {
  readonly description: string;
  /** Schemas by media type; undefined where there is none. */
  readonly content?: Readonly<Record<string, z.ZodType | undefined>>;
}

/** Types the handler's body by its schema, and gives all routes one type. */
export function defineRoute<Body = undefined>(route: Route<Body>): Route {
  return route as Route;
}

/** A response in JSON. */
export function success(description: string, schema: z.ZodType): ResponseDoc {
  return { description, content: { "application/json": schema } };
}

/** An error response; by default in the service's own shape. */
export function failure(description: string, schema: z.ZodType = ErrorBody): ResponseDoc {
  return success(description, schema);
}

/** A JSON response. Plain-object headers are sent as they are; `Response.json` would build a Headers object first. */
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

/** Reserves a stream for the client until the connection closes; throws where it holds too many. */
export function openStream(
  c: AppContext,
  { log, streams }: CouncilService,
): Pick<StreamOptions, "outgoing" | "log"> {
  const { incoming, outgoing } = c.env;
  const release = streams.acquire(networkOf(incoming.socket.remoteAddress ?? ""));
  if (release === undefined) {
    throw new ServiceError("rate_limited", "Too many open streams; close some and try again", {
      retryAfterSeconds: 5,
    });
  }
  if (outgoing.destroyed) release();
  else outgoing.once("close", release);
  return { outgoing, log };
}

/** Aborts when the client disconnects before its response is complete. */
export function clientSignal(c: AppContext): AbortSignal {
  const { outgoing } = c.env;
  const controller = new AbortController();
  const gone = () => {
    if (!outgoing.writableFinished) controller.abort(new Error("the client disconnected"));
  };
  if (outgoing.destroyed) gone();
  else outgoing.once("close", gone);
  return controller.signal;
}
