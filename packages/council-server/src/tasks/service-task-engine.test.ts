import type { Model, PlanTaskSpec, TaskLanguage } from "@mci-ts/council";
import { expect, it } from "vitest";
import { DailyBudget } from "../budget/daily-budget.ts";
import { readConfig } from "../config/config.ts";
import type { RunDependencies } from "../runs/run-dependencies.ts";
import { serviceTaskEngine } from "./service-task-engine.ts";

it("a plan is refused before any call where it is longer than the context window that the provider reports [TS-window]", async () => {
  let calls = 0;
  const model: Model = {
    async complete() {
      calls++;
      throw new Error("called");
    },
  };
  const config = readConfig({ MAKER_API_URL: "http://127.0.0.1:9/v1", MAKER_API_MODEL: "small" });
  const deps = {
    config,
    models: {
      names: { voter: "small" },
      simulated: false,
      forRun: () => model,
      contextWindow: () => 1000,
      price: () => undefined,
      providerName: () => "test",
    },
    metrics: { recordEvent: () => undefined, recordCall: () => undefined },
    statistics: { agreement: () => undefined },
    dailyBudget: new DailyBudget({}, { onExhausted: () => undefined }),
    subjectBudgets: { withBudget: (_: unknown, work: (budget: undefined) => unknown) => work(undefined) },
    store: { shared: {} },
  } as unknown as RunDependencies;
  const spec: PlanTaskSpec = { kind: "plan", prompt: "Write a long book. ".repeat(1000) };
  const engine = serviceTaskEngine(deps, {} as TaskLanguage).plan(spec);
  const nothing = { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 };
  const planned = await engine.decompose(nothing, new AbortController().signal);
  expect(planned).toMatchObject({ end: "paused", message: expect.stringContaining("small takes 1000") });
  expect(calls).toBe(0);
});
