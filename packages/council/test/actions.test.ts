import { describe, expect, it } from "vitest";
import { runAction } from "../src/actions/act.ts";
import type { ActionRequest } from "../src/actions/step.ts";
import { compileTools } from "../src/actions/tools.ts";
import { ModelError } from "../src/model.ts";
import type { CouncilOptions } from "../src/options.ts";
import type { RequestConfig } from "../src/request-config.ts";
import { type Scripted, scriptedModel } from "./scripted-model.ts";
import { seededRandom } from "./seeded-random.ts";
import { virtualClock } from "./virtual-clock.ts";

const text = { type: "string" };
const tools = compileTools([
  {
    name: "delete",
    inputSchema: { type: "object", properties: { path: text, why: text }, required: ["path"] },
  },
  { name: "look", inputSchema: { type: "object", properties: { path: text } }, readOnly: true },
]);
const call = (name: string, input: object | string): Scripted => ({
  text: "",
  toolCalls: [{ id: "1", name, input: typeof input === "string" ? input : JSON.stringify(input) }],
});
const remove = (path: string, why?: string) => call("delete", { path, why });

/** One step of an agent whose model does these things in turn; the last again and again. */
async function step(
  samples: readonly Scripted[],
  { config, ...request }: Partial<ActionRequest> & { config?: RequestConfig } = {},
  options: Partial<CouncilOptions> = {},
) {
  const clock = virtualClock();
  const model = scriptedModel(clock, {
    act: (_, nth) => samples[nth] ?? samples.at(-1)!,
    judge: () => ({ object: VERDICT }),
    // A helper that says yes to everything fails its self-test.
    equivalence: () => ({ object: { same: true } }),
  });
  const result = await clock.run(
    runAction(
      {
        conversation: { bytes: 10 },
        prompt: "Do it",
        tools,
        choice: { type: "auto" },
        parallel: true,
        config,
        ...request,
      },
      { model, models: { voter: "m" }, random: seededRandom(7), clock, ...options },
    ),
  );
  return {
    ...result,
    calls: model.of("act").length,
    temperatures: model.of("act").map(({ temperature }) => temperature),
  };
}
const VERDICT = {
  comparison: "",
  consensus: [],
  contradictions: [],
  gaps: [],
  decision: "What the judge says",
  answer: "x",
  dissent: [],
  unresolved: false,
  rationale: "",
  confidence: 1,
  positions: [],
};

describe("a step of an agent", () => {
  it("is decided by the call that is ahead by k, with no call too many [AC-vote]", async () => {
    const { metadata, calls, temperatures } = await step([remove("a"), remove("b"), remove("a")]);
    expect(metadata.action).toEqual({
      decided: "vote",
      calls: [{ name: "delete", arguments: '{"path":"a"}' }],
      read_only: false,
      agreement: null,
    });
    expect(metadata.voting).toMatchObject({ k: 3, converged: true, wasted: 0 });
    expect(calls).toBe(5);
    expect(temperatures.slice(0, 2)).toEqual([0, 0.1]);
  });

  it("that only reads takes one call; the first that does not completes the vote to k [AC-read]", async () => {
    expect(await step([call("look", { path: "a" })])).toMatchObject({
      calls: 1,
      metadata: { action: { read_only: true } },
    });
    expect((await step([remove("a")])).calls).toBe(3);
    expect((await step([remove("a")], { config: { act: { read_only: ["del*"] } } })).calls).toBe(1);
    expect((await step([remove("a")], { config: { act: { k_by_tool: { "del*": 5, "*": 2 } } } })).calls).toBe(
      5,
    );
    expect((await step([call("look", {})], { config: { act: { k_read_only: 2 } } })).calls).toBe(2);
  });

  it.each<[string, Scripted]>([
    ["invalid_arguments", call("delete", "{")],
    ["invalid_arguments", call("delete", {})],
    ["unknown_tool", call("destroy", {})],
    ["length_stop", { ...remove("b"), finishReason: "length" }],
    ["refusal", { text: "", finishReason: "refusal" }],
    ["empty", { text: " " }],
  ])("discards a sample with the red flag %s [AC-flags]", async (rule, sample) => {
    const { metadata } = await step([sample, remove("a")]);
    expect(metadata.voting).toMatchObject({ red_flagged: 1, votes: { 'delete({"path":"a"})': 3 } });
    expect(metadata.raw_output).toContain(`red flag, ${rule}`);
  });

  it("discards what tool_choice excludes, and several calls where one is allowed [AC-flags]", async () => {
    const only = { type: "tools", names: ["delete"], required: true } as const;
    const { metadata } = await step([call("look", {}), { text: "Hello" }, remove("a")], { choice: only });
    expect(metadata.voting).toMatchObject({ red_flagged: 2 });
    const two = { text: "", toolCalls: [...remove("a").toolCalls!, ...remove("b").toolCalls!] };
    expect((await step([two, remove("a")], { parallel: false })).metadata.voting).toMatchObject({
      red_flagged: 1,
    });
    expect((await step([two])).metadata.action?.calls).toHaveLength(2);
  });

  it("replies to the user whatever the words, in those of the first sample [AC-final]", async () => {
    const replies = ["One", "Two", "Three"].map((text) => ({ text }));
    const { metadata, reply, calls } = await step(replies);
    expect(calls).toBe(3);
    expect(reply?.text).toBe("One");
    expect(metadata.action).toMatchObject({ decided: "vote", calls: [] });
    expect((await step(replies, { config: { act: { final: "council" } } })).text).toBe("What the judge says");
  });

  it("votes on a reply in a form as an object [AC-final]", async () => {
    const replySchema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const { reply, metadata } = await step(
      [
        { text: '{"city":"Rome"}' },
        { text: '{"city":"Paris"}' },
        { text: "{}" },
        { text: '{ "city": "Paris" }' },
      ],
      { replySchema },
    );
    expect(JSON.parse(reply!.text)).toEqual({ city: "Paris" });
    expect(metadata.voting?.red_flagged).toBe(1);
  });

  it("that differs only in words is that of the sample closest to all [AC-free]", async () => {
    const reasons = [
      "it is old and unused",
      "it is unused and old",
      "old, unused",
      "it is old",
      "no use: it is old",
      "is old and unused",
    ];
    const { metadata } = await step(reasons.map((why) => remove("a", why)));
    expect(metadata.action).toMatchObject({ decided: "similarity" });
    expect(metadata.action!.agreement).toBeGreaterThan(0.5);
    const named = await step(
      reasons.map((why) => remove("a", why)),
      { config: { act: { free: ["why"] } } },
    );
    expect(named).toMatchObject({ calls: 3, metadata: { action: { decided: "vote" } } });
    const exact = await step(
      reasons.map((why) => remove("a", why)),
      { config: { act: { threshold: 0.99 } } },
    );
    expect(exact.metadata.action).toMatchObject({ decided: "ask", calls: [] });
  });
});

describe("a step that stays undecided", () => {
  const scattered = ["a", "b", "c", "d", "e", "f", "g"].map((path) =>
    call("delete", { path, why: path.repeat(9) }),
  );

  it("asks the user, and calls nothing [AC-undecided]", async () => {
    const { text, reply, metadata } = await step(scattered, { config: { act: { exact: ["path"] } } });
    expect(reply).toBeUndefined();
    expect(text).toMatch(/have done nothing.*1 of 5: delete\(\{"path":"a"/s);
    expect(metadata).toMatchObject({ status: "degraded", action: { decided: "ask" } });
  });

  it("takes the leader, or fails, where the settings say so [AC-undecided]", async () => {
    const act = { exact: ["path"] };
    const { metadata } = await step(scattered, { config: { act: { ...act, undecided: "leader" } } });
    expect(metadata.action).toMatchObject({ decided: "leader", calls: [{ name: "delete" }] });
    await expect(step(scattered, { config: { act: { ...act, undecided: "error" } } })).rejects.toMatchObject({
      code: "undecided",
    });
  });

  it("takes the leader without asking if that only reads [AC-undecided]", async () => {
    const looks = ["a", "b", "c", "d", "e"].map((path) => call("look", { path }));
    const { metadata } = await step(looks, { config: { act: { k_read_only: 3, exact: ["path"] } } });
    expect(metadata.action).toMatchObject({ decided: "leader", read_only: true });
  });

  it("because a budget is spent says so [AC-undecided]", async () => {
    const { metadata } = await step([remove("a"), remove("b")], {
      config: { max_calls: 3, act: { exact: ["path"] } },
    });
    expect(metadata).toMatchObject({ status: "partial", action: { decided: "ask" } });
  });
});

describe("a step that is not voted on", () => {
  it.each<[string, Partial<ActionRequest> & { config?: RequestConfig }]>([
    ["vote: never", { config: { act: { vote: "never" } } }],
    ["k = 1", { config: { k: 1 } }],
    ["no tools", { tools: compileTools([]) }],
    ["tool_choice none", { choice: { type: "none" } }],
  ])("because of %s is one call, handed on as it is [AC-single]", async (_, request) => {
    const broken = call("destroy", "{");
    const { calls, reply, metadata } = await step([broken], request);
    expect(calls).toBe(1);
    expect(reply?.toolCalls).toEqual(broken.toolCalls);
    expect(metadata.action?.decided).toBe("single");
  });
});

it("a request that does not fit the model's context is told apart from a failure [AC-errors]", async () => {
  const error = new ModelError("m: too long", { retryable: false, contextOverflow: true });
  await expect(step([{ error }])).rejects.toMatchObject({ code: "context_length_exceeded" });
  await expect(step([{ error: new ModelError("no key", { retryable: false }) }])).rejects.toMatchObject({
    code: "all_calls_failed",
  });
});
