import { context, propagation, SpanKind, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { expect, onTestFinished, test } from "vitest";
import { folder } from "../mci.ts";
import { file, text } from "./file.ts";
import { rpc, send } from "./raw.ts";
import { serveHttp } from "./support.ts";

test("[RUN-trace] a served call is a span that continues the trace of the client; names that no tool has stay out", async () => {
  const exporter = new InMemorySpanExporter();
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
  );
  onTestFinished(() => {
    trace.disable();
    context.disable();
    propagation.disable();
  });
  const { url } = await serveHttp({ cwd: folder({ "mci.json": file(text("hello", "Hello")) }) });
  const id = "0af7651916cd43dd8448eb211c80319c";
  const meta = { _meta: { traceparent: `00-${id}-00f067aa0ba902b7-01` } };
  await send(url, rpc("tools/call", { name: "hello", ...meta }));
  await send(url, rpc("tools/call", { name: "no such tool", ...meta }));
  const spans = exporter.getFinishedSpans();
  const served = spans.find(({ name }) => name === "tools/call hello")!;
  expect(served.kind).toBe(SpanKind.SERVER);
  expect(served.spanContext().traceId).toBe(id);
  expect(served.parentSpanContext?.spanId).toBe("00f067aa0ba902b7");
  const call = spans.find(({ name }) => name === "execute_tool hello")!;
  expect(call.parentSpanContext?.spanId).toBe(served.spanContext().spanId);
  expect(JSON.stringify(spans.map(({ name, attributes }) => [name, attributes]))).not.toContain(
    "no such tool",
  );
});
