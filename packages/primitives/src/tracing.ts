import type { Attributes, Context, Span, SpanKind } from "@opentelemetry/api";

/**
 * Spans by the conventions of OpenTelemetry for generative AI, MCP and HTTP, where a program has registered OpenTelemetry.
 * Without it nothing is loaded, and a call costs one look at a global. Attributes hold names, counts and kinds of errors,
 * never values of callers, variables or responses.
 */

export interface SpanDescription {
  readonly name: string;
  /** Default: internal. */
  readonly kind?: "client" | "server";
  readonly attributes: Attributes;
  /** `_meta` of a request that came in: its `traceparent` is the parent, where nothing in this program is. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** A span that has begun. */
export interface ActiveSpan {
  set(attributes: Attributes): void;
  /** The operation failed, in this way. */
  fail(type: string): void;
  /** `traceparent` and what else the registered propagators write, for `_meta` of a request. */
  carrier(): Record<string, string>;
}

/** Runs work within a span, if OpenTelemetry is registered. What it throws ends the span as an error. */
export function traced<T>(
  describe: () => SpanDescription,
  work: (span: ActiveSpan | undefined) => Promise<T>,
): Promise<T> {
  return isTracing() ? withSpan(describe(), work) : work(undefined);
}

/** Where every copy of the API finds what was registered; the same since its first version. */
const GLOBAL = Symbol.for("opentelemetry.js.api.1");

/** Whether a program has registered OpenTelemetry. */
export function isTracing(): boolean {
  return (globalThis as { [GLOBAL]?: { trace?: unknown } })[GLOBAL]?.trace !== undefined;
}

async function withSpan<T>(
  description: SpanDescription,
  work: (span: ActiveSpan | undefined) => Promise<T>,
): Promise<T> {
  // Registered by a copy of the API that cannot be found from here: the program goes on without our spans.
  const api = await import("@opentelemetry/api").catch(() => undefined);
  if (api === undefined) return work(undefined);
  const { context, propagation, SpanStatusCode, trace } = api;
  const kind = KINDS[description.kind ?? "internal"] as SpanKind;
  const parent = parentOf(api, description);
  const { name, attributes } = description;
  const span: Span = trace.getTracer("mci-ts").startSpan(name, { kind, attributes }, parent);
  const within = trace.setSpan(parent, span);
  const fail = (type: string) => {
    span.setAttribute("error.type", type);
    span.setStatus({ code: SpanStatusCode.ERROR });
  };
  const active: ActiveSpan = {
    set: (more) => void span.setAttributes(more),
    fail,
    carrier() {
      const carrier: Record<string, string> = {};
      propagation.inject(within, carrier);
      return carrier;
    },
  };
  try {
    return await context.with(within, work, undefined, active);
  } catch (error) {
    fail(errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** The values of `SpanKind`, which the specification fixes. */
const KINDS = { internal: 0, server: 1, client: 2 } as const;

/** A server's span belongs to who sent the request; any other to what runs in this program, if there is something. */
function parentOf(
  { context, propagation, trace }: typeof import("@opentelemetry/api"),
  { kind, meta }: SpanDescription,
): Context {
  const active = context.active();
  if (meta === undefined || (kind !== "server" && trace.getSpan(active) !== undefined)) return active;
  const carrier = Object.fromEntries(
    CARRIER_KEYS.flatMap((key) => (typeof meta[key] === "string" ? [[key, meta[key]]] : [])),
  );
  return propagation.extract(active, carrier);
}

/** The entries of `_meta` that MCP reserves for this (SEP-414). */
const CARRIER_KEYS = ["traceparent", "tracestate", "baggage"];

/** A code of ours, or the kind of the error; never its message. */
function errorType(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return String(typeof code === "string" || typeof code === "number" ? code : (name ?? "_OTHER"));
}
