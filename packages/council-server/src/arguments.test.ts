import { expect, it } from "vitest";
import { readConfig, serve } from "./index.ts";

const config = readConfig({ PORT: "0", MCI_DETECT_LOCAL: "0" });

it.each<[string, () => unknown, string]>([
  ["readConfig(null)", () => readConfig(null as never), "env must be an object; it is null"],
  ["readConfig(text)", () => readConfig("x" as never), 'env must be an object; it is "x"'],
  ["serve()", () => serve(undefined as never), "config must be an object; it is missing"],
  ["serve({})", () => serve({} as never), "config must be made by readConfig; it is an object"],
  ["serve(config, null)", () => serve(config, null as never), "options must be an object; it is null"],
  [
    "serve with a log that is not one",
    () => serve(config, { log: 1 as never }),
    "options.log must be a function; it is 1",
  ],
])("[Q-options] %s says what is wrong", async (_, call, message) => {
  const called = (async () => call())();
  await expect(called).rejects.toThrow(TypeError);
  await expect(called).rejects.toThrow(message);
});
