import { expect, it } from "vitest";
import { readConfig } from "../../config/config.ts";
import { cacheKeyOf, fromCache } from "./response-cache.ts";

const request = { prompt: "Tabs or spaces?", config: { k: 3 } };
const models = { names: { voter: "a", judge: "a" }, description: "a (host-1)", providerName: () => "host-1" };
const env = { MAKER_API_URL: "http://127.0.0.1:1/v1", MAKER_API_MODEL: "a" };
const config = readConfig(env);
const keyOf = (asked: object = request, more: Record<string, string> = {}, from: object = models) =>
  cacheKeyOf(asked as typeof request, undefined, readConfig({ ...env, ...more }), from as typeof models);

it("[A-cache] the order of fields and fields without a value make no other request", () => {
  expect(keyOf({ config: { k: 3, preset: undefined }, prompt: request.prompt })).toBe(keyOf());
});

it.each([
  ["another prompt", keyOf({ ...request, prompt: "Spaces or tabs?" })],
  ["another context", keyOf({ ...request, context: { filePath: "a.ts" } })],
  ["another schema", keyOf({ ...request, config: { k: 3, answer_schema: { type: "object" } } })],
  ["another model in the request", keyOf({ ...request, config: { k: 3, model: "b" } })],
  ["another model of the service", keyOf(request, {}, { ...models, names: { voter: "b", judge: "b" } })],
  ["the same model elsewhere", keyOf(request, {}, { ...models, description: "a (host-2)" })],
  ["another token", keyOf(request, { MCI_TOKEN: "0123456789abcdef" })],
  ["another default", keyOf(request, { MAKER_K: "5" })],
  ["tools", keyOf(request, { MCI_TOOLS: "tools.mci.json" })],
  [
    "another form of the answer",
    cacheKeyOf(request, { name: "x", jsonSchema: {}, check: () => undefined }, config, models),
  ],
])("[A-cache] %s is another request", (_, key) => {
  expect(key).not.toBe(keyOf());
});

it("[A-cache] a preset that has changed is another request", () => {
  const asked = { ...request, config: { preset: "audit" } };
  const key = (k: number) => cacheKeyOf(asked, undefined, { ...config, presets: { audit: { k } } }, models);
  expect(key(3)).not.toBe(key(4));
});

it("[A-cache] a response without a decided answer is not used where one is required, nor one that is too old", async () => {
  const response = JSON.stringify({ result: "…", metadata: { answer: null } });
  const store = {
    findCached: async (_: string, since: number) =>
      since <= 5000 ? { id: "run-1", endedAt: 5000, response } : undefined,
  };
  const find = (maxAgeMs: number, requireAnswer?: boolean) =>
    fromCache(store, "key", { maxAgeMs, requireAnswer }, 15_000);
  expect(await find(10_000)).toMatchObject({ id: "run-1", cached: true });
  expect(await find(10_000, true)).toBeUndefined();
  expect(await find(9000)).toBeUndefined();
});
