import { expect, test } from "vitest";
import { voteStrategy } from "../voting/vote-limits.ts";
import { parametersIn, promptSetFor } from "./prompt-set.ts";

test.each([
  ["SmolLM2-135M-Instruct-Q4_K_M.gguf", 135e6],
  ["qwen2.5:0.5b", 0.5e9],
  ["Qwen/Qwen2.5-1.5B-Instruct", 1.5e9],
  ["gemma-3-1b-it", 1e9],
  ["llama-3.3-70b-versatile", 70e9],
  ["mixtral-8x7B", 56e9],
  ["gpt-4o-mini", undefined],
  ["claude-haiku-4-5", undefined],
  ["gemini-2.5-flash", undefined],
  ["o3-2025-04-16", undefined],
  ["my-model-1000mb", undefined],
])("[C-compact] the parameters in the name %s are %d", (name, parameters) => {
  expect(parametersIn(name)).toBe(parameters);
});

test("[C-compact] small models and small context windows get the compact prompts", () => {
  expect(promptSetFor("qwen2.5:0.5b")).toBe("compact");
  expect(promptSetFor("llama-3.1-8b")).toBe("full");
  expect(promptSetFor("gpt-5")).toBe("full");
  expect(promptSetFor("local", 2048)).toBe("compact");
  expect(promptSetFor("local", 32_768)).toBe("full");
});

test("[C-compact] outcomes of votes with other prompts are of another strategy", () => {
  const vary = new Set(["wording"] as const);
  expect(voteStrategy(vary, ["full"])).toBe("vote, wording");
  expect(voteStrategy(vary, ["compact"])).toBe("vote, wording, compact prompts 2");
  expect(voteStrategy(vary, ["full", "compact", "compact"])).toBe("vote, wording, compact prompts 2");
  expect(voteStrategy(new Set(), ["compact"])).toBe("vote, resampled, compact prompts 2");
});
