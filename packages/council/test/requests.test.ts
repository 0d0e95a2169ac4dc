import { expect, test } from "vitest";
import { INTENTS } from "../src/strategies/strategies.ts";
import { ask } from "./ask.ts";

test.each<[string, unknown, string]>([
  ["no prompt", {}, "prompt"],
  ["an empty prompt", { prompt: " \n" }, "prompt"],
  ["a prompt that is not text", { prompt: 5 }, "prompt"],
  ["an unknown intent", { prompt: "x", intent: "guess" }, "intent"],
  ["0 voters", { prompt: "x", config: { num_voters: 0 } }, "config.num_voters"],
  ["26 voters", { prompt: "x", config: { num_voters: 26 } }, "config.num_voters"],
  ["2.5 voters", { prompt: "x", config: { num_voters: 2.5 } }, "config.num_voters"],
  ["k = 0", { prompt: "x", config: { k: 0 } }, "config.k"],
  ["k = 26", { prompt: "x", config: { k: 26 } }, "config.k"],
  ["an empty model", { prompt: "x", config: { model: " " } }, "config.model"],
  ["a misspelt limit", { prompt: "x", config: { max_cals: 3 } }, "config.max_cals"],
  ["a negative deadline", { prompt: "x", config: { deadline_ms: -1 } }, "config.deadline_ms"],
  ["a context that is not an object", { prompt: "x", context: "code" }, "context"],
  ["code that is not text", { prompt: "x", context: { code: 1 } }, "context.code"],
  ["a context that JSON cannot hold", { prompt: "x", context: { history: [10n] } }, "context"],
  ["a context that holds itself", { prompt: "x", context: holdingItself() }, "context"],
])("[Q-valid] %s is refused before any call, with the place", async (_, request, path) => {
  const { result, model } = ask(request as never, {});
  await expect(result).rejects.toMatchObject({ code: "invalid_request", problems: [{ path }] });
  expect(model.requests).toHaveLength(0);
});

function holdingItself(): object {
  const context: Record<string, unknown> = {};
  context["context"] = context;
  return context;
}

test("[Q-valid] every problem is named, not only the first", async () => {
  const { result } = ask({ prompt: "", intent: "x", config: { k: 0 } } as never, {});
  await expect(result).rejects.toMatchObject({
    problems: [{ path: "prompt" }, { path: "intent" }, { path: "config.k" }],
  });
});

test("the intents of the first version of the API are there", () => {
  expect(INTENTS).toEqual(expect.arrayContaining(["decision", "code_review", "validation", "decomposition"]));
});
