import type { CouncilEvent, ModelRequest, ModelUsage, Purpose } from "@mci-ts/council";
import { describe, expect, it } from "vitest";
import { Seating } from "./seating.ts";

const signal = new AbortController().signal;

function setUp(names: readonly string[]) {
  const asked: string[] = [];
  const usages: ModelUsage[] = [];
  const seen: CouncilEvent[] = [];
  const seating = new Seating(names);
  const sink = seating.events((event) => seen.push(event));
  const model = seating.model({
    async complete(request) {
      asked.push(request.model);
      const usage = { inputTokens: 1, outputTokens: 1 };
      usages.push(usage);
      return { text: "", finishReason: "stop", usage, latencyMs: 1 };
    },
  });
  let seq = 0;
  /** As the engine does it: the event, then the call, without a pause. */
  const call = (purpose: Purpose, messages: ModelRequest["messages"]) => {
    seq++;
    sink({ type: "call.started", call: seq, purpose, model: "a", temperature: 0, seq, at: 0 });
    return model.complete({ model: "a", purpose, messages, temperature: 0, maxOutputTokens: 1 }, signal);
  };
  return { seating, asked, usages, seen, sink, call };
}

describe("seats of different models", () => {
  it("are taken in turn, kept through retries, and reported as they are", async () => {
    const { seating, asked, usages, seen, call } = setUp(["a", "b"]);
    const [first, second, third] = [[], [], []] as ModelRequest["messages"][];
    await Promise.all([call("seat", first!), call("seat", second!), call("seat", third!)]);
    await call("seat", second!);
    await call("judge", []);
    expect(asked).toEqual(["a", "b", "a", "b", "a"]);
    expect(seen.map((event) => event.type === "call.started" && event.model)).toEqual(asked);
    expect(seen.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    const price = seating.price((model) => (model === "b" ? 2 : 1));
    expect(usages.map((usage) => price("a", usage))).toEqual([1, 2, 1, 2, 1]);
  });

  it("never hold an event back for long", () => {
    const { seen, sink } = setUp(["a", "b"]);
    sink({ type: "call.started", call: 1, purpose: "seat", model: "a", temperature: 0, seq: 1, at: 0 });
    sink({ type: "call.aborted", call: 1, seq: 2, at: 0 });
    expect(seen.map(({ seq }) => seq)).toEqual([1, 2]);
  });
});
