import { describe, expect, test } from "vitest";
import { CallContext } from "./call-context.ts";
import { DEFAULT_LIMITS } from "./executor.ts";

const running = (callerSignal?: AbortSignal) =>
  new CallContext({
    tool: { name: "t", execution: { type: "text", text: "" } },
    scope: { props: {}, env: {}, absent: new Set(), onEnv: () => {} },
    callerSignal,
    paths: { baseDir: "/", enableAnyPaths: false, directoryAllowList: [] },
    limits: DEFAULT_LIMITS,
    compile: {} as never,
    mask: (text) => text,
  });

describe("the signal of a call", () => {
  test("aborts when the call is cancelled, also if it was not read before", () => {
    const [before, after] = [running(), running()];
    const seen = before.signal;
    before.cancel("closed");
    after.cancel("closed");
    expect([seen.aborted, seen.reason]).toEqual([true, "closed"]);
    expect([after.signal.aborted, after.signal.reason]).toEqual([true, "closed"]);
  });

  test("aborts with the caller's own, and is the same whenever it is looked at", () => {
    const caller = new AbortController();
    const call = running(caller.signal);
    expect(call.signal).toBe(call.signal);
    expect(call.signal.aborted).toBe(false);
    caller.abort("enough");
    expect([call.signal.aborted, call.signal.reason]).toEqual([true, "enough"]);
  });
});
