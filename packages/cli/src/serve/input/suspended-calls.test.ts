import type { InputResponse } from "mci-ts";
import { expect, onTestFinished, test } from "vitest";
import { SuspendedCalls } from "./suspended-calls.ts";

const request = { mode: "form", message: "?", requestedSchema: {} } as const;

test("one caller cannot take every place for calls that wait [RUN-state]", async () => {
  const calls = new SuspendedCalls<InputResponse>();
  onTestFinished(() => calls.close());
  const start = (caller: string) =>
    calls.start(caller, new AbortController().signal, async (onInput) =>
      onInput(request, { target: "t", signal: new AbortController().signal }),
    );
  const count = async (caller: string) => {
    let waiting = 0;
    for (; "id" in (await start(caller)); waiting++);
    return waiting;
  };
  expect(await count("eve")).toBe(50);
  expect(await count("ada")).toBe(50);
  expect(await start("eve")).toEqual({ result: { action: "cancel" } });
  // Where callers cannot be told apart, only the limit of all of them counts.
  expect(await count("")).toBe(100);
});
