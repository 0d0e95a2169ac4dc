import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../api/event-schemas.ts";
import { LiveRun } from "./live-run.ts";

const event = (seq: number): RunEvent => ({
  v: 1,
  request_id: "id",
  seq,
  ts: "2025-01-01T00:00:00.000Z",
  type: "call.aborted",
  call: 1,
});
const response = { body: { error: { code: "x", message: "x", details: [] } } };

async function collect(run: LiveRun, after = 0): Promise<number[]> {
  const seen: number[] = [];
  for await (const { seq } of run.subscribe(after)) seen.push(seq);
  return seen;
}

describe("a run in flight", () => {
  it("shows every watcher the same events, whenever it joins", async () => {
    const run = new LiveRun("id");
    const early = collect(run);
    run.emit(event(1));
    await Promise.resolve();
    const middle = collect(run, 1);
    run.emit(event(2));
    run.emit(event(3));
    run.end(response);
    expect(await early).toEqual([1, 2, 3]);
    expect(await middle).toEqual([2, 3]);
    expect(await collect(run)).toEqual([1, 2, 3]);
  });

  it("continues while one client waits and stops when the last disconnects", () => {
    const run = new LiveRun("id");
    const [a, b] = [new AbortController(), new AbortController()];
    run.attach(a.signal);
    run.attach(b.signal);
    a.abort();
    expect(run.signal.aborted).toBe(false);
    b.abort();
    expect(run.signal.aborted).toBe(true);
    expect(run.cancelled).toBe("client_gone");
  });

  it("stops for a client that disconnected before it began", () => {
    const run = new LiveRun("id");
    run.attach(AbortSignal.abort());
    expect(run.cancelled).toBe("client_gone");
  });

  it("keeps the first cancel reason", () => {
    const run = new LiveRun("id");
    run.cancel("deleted");
    run.cancel("shutdown");
    expect(run.cancelled).toBe("deleted");
  });
});
