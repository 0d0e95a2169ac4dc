import { expect, it } from "vitest";
import { startFakeProvider } from "./index.ts";

it.each<[string, () => unknown, string]>([
  [
    "startFakeProvider(null)",
    () => startFakeProvider(null as never),
    "options must be an object; it is null",
  ],
  [
    "startFakeProvider with a misspelt option",
    () => startFakeProvider({ portt: 1 } as never),
    "options.portt is not a field",
  ],
  [
    "startFakeProvider with an unknown reply",
    () => startFakeProvider({ rules: [{ reply: { kind: "sing" } as never }] }),
    "options.rules[0].reply",
  ],
])("[FP-options] %s says what is wrong", async (_, call, message) => {
  const called = (async () => call())();
  await expect(called).rejects.toThrow(TypeError);
  await expect(called).rejects.toThrow(message);
});
