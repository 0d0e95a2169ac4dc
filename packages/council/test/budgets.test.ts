import { expect, test } from "vitest";
import { type Model, ModelError } from "../src/model.ts";
import { trackBudget } from "../src/sampling/budget.ts";
import { createSpeeds } from "../src/sampling/speeds.ts";
import { ask, typesOf } from "./ask.ts";
import { decision, inOrder, scriptedModel, seat, vote } from "./scripted-model.ts";
import { type VirtualClock, virtualClock } from "./virtual-clock.ts";

const CAPITAL = "What is the capital of Australia?";
const OPEN = "How should we design the caching layer of our news site?";
const undecided = (_: unknown, nth: number) => vote(nth % 2 ? "1" : "2");

test("[L-calls] when the calls are spent, those in flight may finish, and the votes there are make a partial result", async () => {
  const { result, model, events } = ask(
    { prompt: CAPITAL, config: { max_calls: 4 } },
    { vote: (_, nth) => ({ ...undecided(_, nth), latencyMs: 100 + nth }) },
  );
  const { result: report, metadata } = await result;
  expect(report).toContain("## No Winning Answer");
  expect(metadata).toMatchObject({
    status: "partial",
    voting: { converged: false, undecided: "budget", votes: { 1: 2, 2: 2 } },
    usage: { calls: 4, aborted_calls: 0 },
  });
  expect(model.requests).toHaveLength(4);
  const stops = events.filter(({ type }) => type === "run.stopped");
  expect(stops).toMatchObject([{ reason: "max_calls" }]);
});

test("[L-calls] a vote that the calls in flight decide is a complete result", async () => {
  // One red flag, so that one vote more would be needed than there are calls; the others agree.
  const { result } = ask(
    { prompt: CAPITAL, config: { k: 2, max_calls: 3, speculation: 2 } },
    { vote: (_, nth) => (nth === 0 ? { text: "hm", latencyMs: 1 } : vote("Canberra")) },
  );
  expect((await result).metadata).toMatchObject({ status: "complete", voting: { votes: { Canberra: 2 } } });
});

test("[L-calls] a deadline, tokens and the caller still stop calls in flight after the last one was started", async () => {
  const stuck = (_: unknown, nth: number) => (nth < 3 ? undecided(_, nth) : { hang: true });
  const late = ask({ prompt: CAPITAL, config: { max_calls: 4, deadline_ms: 1000 } }, { vote: stuck });
  expect((await late.result).metadata).toMatchObject({ status: "partial", usage: { aborted_calls: 1 } });
  const clock = virtualClock();
  const controller = new AbortController();
  const options = { signal: controller.signal, clock };
  const cancelled = ask({ prompt: CAPITAL, config: { max_calls: 4 } }, { vote: stuck }, options);
  clock.sleep(1000, new AbortController().signal).then(() => controller.abort());
  await expect(cancelled.result).rejects.toMatchObject({ code: "cancelled" });
});

test("[L-calls] a budget that just suffices does not make the result partial", async () => {
  const { result } = ask(
    { prompt: CAPITAL, config: { max_calls: 3, max_tokens: 360, max_usd: 0.003 } },
    { vote: inOrder(vote("Canberra")) },
  );
  expect((await result).metadata).toMatchObject({ status: "complete", voting: { converged: true } });
});

test("[L-calls] a vote that the calls can never decide is refused before the first", async () => {
  const { result, model } = ask({ prompt: CAPITAL, config: { max_calls: 2 } }, { vote: inOrder(vote("x")) });
  await expect(result).rejects.toMatchObject({
    code: "budget_exhausted",
    message: expect.stringContaining("Raise max_calls or lower k"),
  });
  expect(model.requests).toHaveLength(0);
});

test("[L-tokens] the vote that decides counts even when it spends the last tokens", async () => {
  const { result } = ask(
    { prompt: CAPITAL, config: { max_tokens: 300 } },
    { vote: inOrder(vote("Canberra")) },
  );
  expect((await result).metadata).toMatchObject({
    status: "complete",
    voting: { votes: { Canberra: 3 }, converged: true },
  });
});

test("[L-tokens] tokens spent stop the run", async () => {
  const { result, model } = ask({ prompt: CAPITAL, config: { max_tokens: 500 } }, { vote: undecided });
  expect((await result).metadata).toMatchObject({ status: "partial" });
  expect(model.requests.length).toBeLessThan(10);
});

test("[L-tokens] unreported tokens end a run that has a limit on them, and no other", async () => {
  const uncounted = { ...vote("Canberra"), usage: { inputTokens: 0, outputTokens: 0 } };
  const free = ask({ prompt: CAPITAL }, { vote: inOrder(uncounted) });
  expect((await free.result).metadata.status).toBe("complete");
  const limited = ask({ prompt: CAPITAL, config: { max_tokens: 300 } }, { vote: inOrder(uncounted) });
  expect((await limited.result).metadata).toMatchObject({ status: "partial", voting: { converged: false } });
});

test("[L-usd] numbers that are not numbers, from whatever adapter, neither spoil the sums nor open a budget", async () => {
  const odd = { inputTokens: Number.NaN, outputTokens: -5, costUsd: Number.NaN };
  const answers = inOrder({ ...vote("Canberra"), usage: odd });
  expect((await ask({ prompt: CAPITAL }, { vote: answers }).result).metadata.usage).toMatchObject({
    ...{ input_tokens: 0, output_tokens: 0, cost_usd: null, cost_source: "unknown" },
  });
  for (const config of [{ max_tokens: 300 }, { max_usd: 1 }]) {
    const { result } = ask({ prompt: CAPITAL, config }, { vote: answers });
    expect((await result).metadata.status).toBe("partial");
  }
});

test("[L-usd] money spent stops the run; prices are used where the provider names none", async () => {
  const named = ask({ prompt: CAPITAL, config: { max_usd: 0.004 } }, { vote: undecided });
  const { usage, status } = (await named.result).metadata;
  expect(status).toBe("partial");
  expect(usage.cost_source).toBe("provider");
  const priced = ask(
    { prompt: CAPITAL },
    { vote: () => ({ ...vote("Canberra"), usage: { costUsd: undefined } }) },
    { price: () => 0.5 },
  );
  expect((await priced.result).metadata.usage).toMatchObject({ cost_usd: 1.5, cost_source: "prices" });
  const costs = priced.events.flatMap((event) => (event.type === "call.finished" ? [event.cost_usd] : []));
  expect(costs).toEqual([0.5, 0.5, 0.5]);
});

test("[L-usd] an unknown cost is reported as unknown, and ends a run that has a limit on money", async () => {
  const unknown = () => ({ ...vote("Canberra"), usage: { costUsd: undefined } });
  expect((await ask({ prompt: CAPITAL }, { vote: unknown }).result).metadata.usage).toMatchObject({
    cost_usd: null,
    cost_source: "unknown",
  });
  const limited = ask(
    { prompt: CAPITAL, config: { max_usd: 5 } },
    { vote: (_, nth) => ({ ...unknown(), latencyMs: 100 * (nth + 1) }) },
  );
  expect((await limited.result).metadata).toMatchObject({
    status: "partial",
    usage: { calls: 3, aborted_calls: 2 },
  });
});

test("[L-tokens] at the deadline every call is aborted; what there is, is shown", async () => {
  const { result, clock, model } = ask(
    { prompt: OPEN, config: { num_voters: 3, deadline_ms: 1000 } },
    { seat: inOrder(seat("x")), judge: inOrder({ hang: true }) },
  );
  const { result: report, metadata } = await result;
  expect(clock.now()).toBe(1000);
  expect(model.aborts).toBe(1);
  expect(report).toContain("There is no verdict: the run was stopped");
  expect(metadata).toMatchObject({ status: "partial", usage: { calls: 4, aborted_calls: 1 } });
});

test("[L-speed] seats that are late are given up while there is time for a verdict", async () => {
  const { result, clock, model } = ask(
    { prompt: OPEN, config: { num_voters: 3, deadline_ms: 1000 } },
    { seat: (_, nth) => (nth > 0 ? { hang: true } : seat("x")), judge: inOrder(decision("in time")) },
  );
  const { result: report, metadata } = await result;
  expect(clock.now()).toBe(700);
  expect(model.aborts).toBe(2);
  expect(report).toContain("in time");
  expect(metadata.warnings).toContain(
    "Seat 2 returned no proposal: it had not answered when the time for proposals was over.",
  );
});

test("[L-speed] replies are limited to what the model can write in the time left, once its speed is known", async () => {
  const slow = { latencyMs: 10_000, usage: { outputTokens: 100 } };
  const { result, model } = ask(
    { prompt: OPEN, config: { num_voters: 2, deadline_ms: 60_000 } },
    { seat: inOrder({ ...seat("x"), ...slow }), judge: inOrder({ ...decision("ok"), ...slow }) },
  );
  await result;
  // Ten tokens per second, fifty seconds left, of which the judge takes seven tenths.
  expect(model.of("seat")[0]!.maxOutputTokens).toBe(8192);
  expect(model.of("judge")[0]!.maxOutputTokens).toBe(8192);
  const same = ask(
    { prompt: OPEN, config: { num_voters: 2, deadline_ms: 60_000, model: "one-model" } },
    { seat: inOrder({ ...seat("x"), ...slow }), judge: inOrder({ ...decision("ok"), ...slow }) },
  );
  await same.result;
  expect(same.model.of("judge")[0]!.maxOutputTokens).toBe(350);
});

test("[L-speed] on a slow server that shares its speed, a council with rankings ends with a verdict before its deadline", async () => {
  const clock = virtualClock();
  const scripted = scriptedModel(clock, {
    seat: (_, nth) => ({ ...seat(`way ${nth}`), latencyMs: 0 }),
    judge: inOrder({ ...decision("Way 1."), latencyMs: 0 }),
    rank: () => ({ object: { rationale: "by merit", ranking: ["A", "B", "C", "D"] }, latencyMs: 0 }),
    equivalence: () => ({ object: { same: true }, latencyMs: 0 }),
  });
  const TOKENS = { seat: 100, judge: 160, rank: 100, equivalence: 30 } as Readonly<Record<string, number>>;
  let inFlight = 0;
  const slow: Model["complete"] = async (request, signal) => {
    const startedAt = clock.elapsed();
    const outputTokens = TOKENS[request.purpose]!;
    inFlight++;
    try {
      // Twenty tokens a second, for all requests together.
      for (let left = outputTokens; left > 0; left -= 20 / inFlight) await clock.sleep(1000, signal);
      const reply = await scripted.complete(request, signal);
      const usage = { inputTokens: 100, outputTokens };
      return { ...reply, usage, latencyMs: clock.elapsed() - startedAt };
    } finally {
      inFlight--;
    }
  };
  const speeds = createSpeeds();
  speeds.note("one-model", 100, 25_000);
  const { result } = ask(
    { prompt: OPEN, config: { num_voters: 5, deadline_ms: 45_000, peer_ranking: true, model: "one-model" } },
    {},
    { clock, model: { complete: slow }, selfTests: new Map(), models: { voter: "one-model" }, speeds },
  );
  const { metadata } = await result;
  expect(metadata).toMatchObject({ status: "complete", council: { decision: "Way 1." } });
  expect(metadata.warnings).toContainEqual(expect.stringContaining("time for rankings was over"));
  expect(clock.elapsed()).toBeLessThan(43_000);
});

/** Three tokens a second, one request after the other or for all together; full instructions get 150 tokens unless told, compact ones 75. */
function slowServer(
  clock: VirtualClock,
  { full = 150, perSecond = 3, together = false, local = true } = {},
): Model {
  const scripted = scriptedModel(clock, {
    seat: () => ({ ...seat("PostgreSQL"), latencyMs: 0 }),
    judge: inOrder({ ...decision("PostgreSQL."), latencyMs: 0 }),
  });
  let last: Promise<unknown> = Promise.resolve();
  let inFlight = 0;
  const writeBeside = async (tokens: number, signal: AbortSignal) => {
    inFlight++;
    try {
      for (let left = tokens; left > 0; left -= perSecond / inFlight) await clock.sleep(1000, signal);
    } finally {
      inFlight--;
    }
  };
  return {
    isLocal: () => local,
    async complete(request, signal) {
      const startedAt = clock.elapsed();
      const wanted = JSON.stringify(request.messages).includes("a few sentences") ? 75 : full;
      const outputTokens = Math.min(wanted, request.maxOutputTokens);
      const turn = together
        ? writeBeside(outputTokens, signal)
        : last.then(() => clock.sleep((outputTokens / perSecond) * 1000, signal));
      last = turn.catch(() => {});
      await turn;
      const reply = await scripted.complete(request, signal);
      const finishReason = outputTokens < wanted ? "length" : "stop";
      const latencyMs = clock.elapsed() - startedAt;
      return { ...reply, finishReason, usage: { inputTokens: 100, outputTokens }, latencyMs };
    },
  };
}

test.each([
  ["before its speed is known", undefined, "complete"],
  ["when its speed is known", 3, "complete"],
  ["with prompts that the caller chose, without a verdict", 3, "partial"],
])("[L-speed] a council at three tokens a second ends inside its deadline, %s", async (_, known, status) => {
  const clock = virtualClock();
  const speeds = createSpeeds();
  if (known !== undefined) speeds.note("slow", 100, (100 / known) * 1000);
  const prompts = status === "partial" ? { prompts: "full" as const } : {};
  const { result } = ask(
    { prompt: OPEN, config: { num_voters: 3, deadline_ms: 120_000, ...prompts } },
    {},
    { clock, model: slowServer(clock), models: { voter: "slow" }, speeds },
  );
  const { metadata } = await result;
  expect(metadata.status).toBe(status);
  expect(clock.elapsed()).toBeLessThanOrEqual(120_000);
  const notice = "slow is slow for the deadline: it was asked for a few sentences";
  if (status === "complete") expect(metadata.warnings).toContainEqual(expect.stringContaining(notice));
});

test.each([
  ["and the judge is the same model", { voter: "slow" }],
  ["on a server that shares its speed", { voter: "slow" }, true],
  ["and the judge is another one, of unknown speed too", { voter: "slow", judge: "slow-judge" }],
  [
    "and every seat is another one",
    { voter: "x", seats: ["slow-1", "slow-2", "slow-3"] as const, judge: "slow-judge" },
  ],
])(
  "[L-speed] a first council whose proposals would not be ready in time has a verdict, %s",
  async (_, models, together = false) => {
    const clock = virtualClock();
    const { result, events } = ask(
      { prompt: OPEN, config: { num_voters: 3, deadline_ms: 120_000 } },
      {},
      { clock, model: slowServer(clock, { full: 300, together }), models, speeds: createSpeeds() },
    );
    const { metadata } = await result;
    expect(metadata).toMatchObject({ status: "complete", council: { decision: "PostgreSQL." } });
    expect(clock.elapsed()).toBeLessThan(120_000);
    const judge = "judge" in models ? models.judge : "slow";
    for (const warning of [
      /^slow\S* had not replied after 40 % of the time until the deadline: its calls were ended/,
      new RegExp(`^${judge} is slow for the deadline: it was asked for a few sentences`),
    ])
      expect(metadata.warnings).toContainEqual(expect.stringMatching(warning));
    // Seats whose turn did not come were asked for nothing more.
    expect(metadata.warnings).not.toContainEqual(expect.stringMatching(/^slow-[23] is slow/));
    const aborts = events.flatMap(({ type, at }) => (type === "call.aborted" ? [at] : []));
    expect(aborts.slice(0, 3)).toEqual([48_000, 48_000, 48_000]);
  },
);

test.each([
  ["whose first proposal comes before two fifths of the time", { perSecond: 7, full: 300 }, {}],
  [
    "at a provider, where a model thinks for long",
    { perSecond: 13, full: 300, local: false, together: true },
    {},
  ],
  ["of models whose speed is known", { perSecond: 3, full: 200 }, { known: 100 }],
  ["with prompts that the caller chose", { perSecond: 3, full: 300 }, { prompts: "full" as const }],
])(
  "[L-speed] no call of a council %s is ended to ask for less",
  async (_, server, {
    known,
    prompts,
  }: {
    known?: number;
    prompts?: "full";
  }) => {
    const clock = virtualClock();
    const speeds = createSpeeds();
    const seats = ["slow-1", "slow-2", "slow-3"] as const;
    if (known !== undefined) for (const seat of seats) speeds.note(seat, 100, (100 / known) * 1000);
    const { result, events } = ask(
      { prompt: OPEN, config: { num_voters: 3, deadline_ms: 120_000, ...(prompts ? { prompts } : {}) } },
      {},
      { clock, model: slowServer(clock, server), models: { voter: "slow", seats }, speeds },
    );
    const { metadata } = await result;
    expect(metadata.warnings).not.toContainEqual(expect.stringContaining("had not replied"));
    const aborted = events.filter(({ type }) => type === "call.aborted");
    expect(aborted.filter(({ at }) => at < 72_000)).toEqual([]);
    expect(events.filter((event) => event.type === "call.started" && event.purpose === "seat")).toHaveLength(
      3,
    );
  },
);

test("[L-speed] a verdict that is there does not wait until the deadline for whether answers mean the same", async () => {
  const { result, clock } = ask(
    { prompt: OPEN, config: { num_voters: 3, deadline_ms: 60_000, peer_ranking: true } },
    {
      seat: (_, nth) => seat(`way ${nth}`),
      judge: inOrder(decision("Way 1.")),
      rank: () => ({ object: { rationale: "by merit", ranking: ["A", "B"] } }),
      equivalence: inOrder({ hang: true }),
    },
    { selfTests: new Map() },
  );
  const { metadata } = await result;
  expect(metadata).toMatchObject({ status: "complete", council: { decision: "Way 1." } });
  expect(clock.elapsed()).toBeLessThan(55_000);
});

test("[L-speed] a share of the time is over with it, and leaves no timer when the run ends before", async () => {
  const clock = virtualClock();
  const open = () => trackBudget({ deadline_ms: 1000 }, { clock, onStop: () => {} });
  const whole = open();
  const late = whole.afterShare(0.9);
  await clock.run(new Promise((resolve) => late.addEventListener("abort", resolve)));
  expect(clock.elapsed()).toBe(900);
  expect(whole.stopped).toBeUndefined();
  whole.close();
  const short = open();
  const never = short.afterShare(0.9);
  short.close();
  await expect(clock.run(new Promise(() => {}))).rejects.toThrow("everything waits");
  expect(never.aborted).toBe(false);
});

test("[L-tokens] with nothing to show, the deadline is an error, and so is a spent budget", async () => {
  const late = ask({ prompt: CAPITAL, config: { deadline_ms: 50 } }, { vote: inOrder({ hang: true }) });
  await expect(late.result).rejects.toMatchObject({
    code: "deadline_exceeded",
    usage: { calls: 3, aborted_calls: 3 },
  });
  const failing = ask(
    { prompt: CAPITAL, config: { deadline_ms: 300 } },
    { vote: inOrder({ error: new ModelError("the account is empty", { retryable: true }) }) },
  );
  await expect(failing.result).rejects.toMatchObject({
    code: "deadline_exceeded",
    message: expect.stringContaining("the account is empty"),
  });
  const poor = ask(
    { prompt: "Decompose the task: x", config: { max_calls: 1 } },
    { decompose: inOrder({ text: "hm" }) },
  );
  await expect(poor.result).rejects.toMatchObject({ code: "budget_exhausted" });
});

test("[L-server] of the server's and the request's budget the tighter one holds", async () => {
  const { result } = ask(
    { prompt: CAPITAL, config: { max_calls: 100 } },
    { vote: undecided },
    { budget: { max_calls: 5 } },
  );
  expect((await result).metadata.usage.calls).toBe(5);
  const tighter = ask(
    { prompt: CAPITAL, config: { max_calls: 4 } },
    { vote: undecided },
    { budget: { max_calls: 100 } },
  );
  expect((await tighter.result).metadata.usage.calls).toBe(4);
});

test("[X-cancel] the caller's signal aborts every call at once, and the run ends in an error", async () => {
  const clock = virtualClock();
  const controller = new AbortController();
  const running = ask(
    { prompt: CAPITAL, config: { k: 7 } },
    { vote: inOrder({ hang: true }) },
    { signal: controller.signal, clock },
  );
  clock.sleep(10, new AbortController().signal).then(() => controller.abort());
  await expect(running.result).rejects.toMatchObject({
    code: "cancelled",
    usage: { calls: 7, aborted_calls: 7 },
  });
  expect(running.model.aborts).toBe(7);
  expect(clock.now()).toBe(10);
  expect(typesOf(running.events).filter((type) => type === "call.aborted")).toHaveLength(7);
  expect(typesOf(running.events).at(-1)).toBe("run.failed");
});

test("[X-cancel] a run that is cancelled before it begins makes no call", async () => {
  const { result, model } = ask(
    { prompt: CAPITAL },
    { vote: inOrder(vote("x")) },
    { signal: AbortSignal.abort() },
  );
  await expect(result).rejects.toMatchObject({ code: "cancelled" });
  expect(model.requests).toHaveLength(0);
});

test("[X-cancel] cancelling ends a wait between retries too", async () => {
  const clock = virtualClock();
  const controller = new AbortController();
  const { result } = ask(
    { prompt: CAPITAL, config: { k: 1 } },
    { vote: inOrder({ error: new Error("reset") }) },
    { signal: controller.signal, clock },
  );
  clock.sleep(150, new AbortController().signal).then(() => controller.abort());
  await expect(result).rejects.toMatchObject({ code: "cancelled" });
  expect(clock.now()).toBe(150);
});

test("[X-cancel] a model that ignores its signal does not hold the run up", async () => {
  const clock = virtualClock();
  const deaf = { complete: () => new Promise<never>(() => {}) };
  const { result } = ask({ prompt: CAPITAL, config: { deadline_ms: 20 } }, {}, { clock, model: deaf });
  await expect(result).rejects.toMatchObject({ code: "deadline_exceeded" });
});
