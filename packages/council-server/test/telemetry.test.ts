import { type Attributes, type Context, type Span, type SpanOptions, trace } from "@opentelemetry/api";
import { afterEach, describe, expect, it } from "vitest";
import { post, startCouncil } from "./harness.ts";
import { readJson } from "./read-json.ts";

interface Recorded {
  readonly name: string;
  readonly attributes: Attributes;
  readonly parent?: Span;
  ended: boolean;
  failed: boolean;
}

afterEach(() => trace.disable());

describe("OpenTelemetry [O-spans]", () => {
  it("receives a span per run and one per model call, with gen_ai attributes", async () => {
    const spans = record();
    const { url } = await startCouncil({ rules: [{ times: 1, reply: { kind: "status", status: 503 } }] });
    await post(`${url}/mcp/model`, { prompt: "Tabs or spaces?", intent: "validation" });
    const run = spans.find(({ name }) => name === "invoke_agent council");
    expect(run?.attributes).toMatchObject({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "council",
    });
    const calls = spans.filter(({ name }) => name === "chat sim");
    expect(calls).toHaveLength(4);
    expect(spans.every(({ ended }) => ended)).toBe(true);
    for (const { attributes, parent } of calls) {
      expect(parent).toBeDefined();
      expect(attributes).toMatchObject({
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "127.0.0.1",
        "gen_ai.request.model": "sim",
        "gen_ai.request.temperature": expect.any(Number),
        "gen_ai.request.max_tokens": expect.any(Number),
      });
    }
    const [failed] = calls.filter((call) => call.failed);
    expect(failed?.attributes["error.type"]).toBe("503");
    for (const { attributes } of calls.filter((call) => !call.failed)) {
      expect(attributes).toMatchObject({
        "gen_ai.response.model": "sim",
        "gen_ai.response.finish_reasons": ["stop"],
        "gen_ai.usage.input_tokens": expect.any(Number),
        "gen_ai.usage.output_tokens": expect.any(Number),
      });
    }
    // What was asked and answered is the callers' business.
    expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain("Tabs");
  });

  it("that throws at the end of a run costs neither the response nor its record", async () => {
    record({
      onEnd: (name) => name.startsWith("invoke_agent") && expect.unreachable("the collector is gone"),
    });
    const { url } = await startCouncil();
    const answer = await readJson(
      post(`${url}/mcp/model`, { prompt: "Tabs or spaces?", intent: "validation" }),
    );
    const run = await readJson(fetch(`${url}/runs/${answer.metadata.request_id}`));
    expect(run).toMatchObject({ status: "complete", response: { result: answer.result } });
  });
});

/** The least that can pass for a tracer. */
function record({ onEnd = (_: string): unknown => undefined } = {}): Recorded[] {
  const spans: Recorded[] = [];
  const startSpan = (name: string, options: SpanOptions = {}, context?: Context): Span => {
    const parent = context && trace.getSpan(context);
    const recorded: Recorded = {
      name,
      attributes: { ...options.attributes },
      ...(parent ? { parent } : {}),
      ended: false,
      failed: false,
    };
    spans.push(recorded);
    return {
      setAttribute(key: string, value: string) {
        recorded.attributes[key] = value;
        return this;
      },
      setAttributes(more: Attributes) {
        Object.assign(recorded.attributes, more);
        return this;
      },
      setStatus() {
        recorded.failed = true;
        return this;
      },
      end() {
        recorded.ended = true;
        onEnd(name);
      },
      spanContext: () => ({ traceId: "1".repeat(32), spanId: "1".repeat(16), traceFlags: 1 }),
    } as unknown as Span;
  };
  trace.setGlobalTracerProvider({
    getTracer: () => ({ startSpan, startActiveSpan: () => undefined }),
  } as never);
  return spans;
}
