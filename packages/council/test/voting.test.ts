import { expect, test } from "vitest";
import type { CouncilEvent } from "../src/events.ts";
import { ModelError } from "../src/model.ts";
import { ask, typesOf } from "./ask.ts";
import { inOrder, pick, type Scripted, vote } from "./scripted-model.ts";

const DATES =
  "For date manipulation in JS, is it better to use 'moment.js' or 'date-fns' in a new project in 2025?";
const CAPITAL = "What is the capital of Australia?";

test("[V-report] a unanimous vote is one round of three calls, the first at temperature 0, the others at 0.1", async () => {
  const { result, model, clock } = ask({ prompt: DATES }, { vote: inOrder(pick("date-fns")) });
  const { result: report, metadata } = await result;
  expect(report).toMatch(
    /^# First-to-ahead-by-3 Voting Result\n\n## Winning Answer\n\ndate-fns\n\nbecause date-fns\n/,
  );
  expect(metadata).toMatchObject({
    tool_used: "solve_with_voting",
    status: "complete",
    model: "voter-model",
    routing: { by: "inference", rule: "choice.options" },
    performance: { total_time_seconds: 0.1 },
    voting: {
      k: 3,
      votes: { "date-fns": 3 },
      samples: 3,
      red_flagged: 0,
      transport_errors: 0,
      converged: true,
      confidence: 0.9375,
      wasted: 0,
    },
    usage: { calls: 3, input_tokens: 300, output_tokens: 60, aborted_calls: 0, cost_source: "provider" },
  });
  expect(model.requests.map(({ temperature }) => temperature)).toEqual([0, 0.1, 0.1]);
  expect(clock.now()).toBe(100);
});

test("[V-choices] the choices found in the prompt are the only answers, with room for another", async () => {
  const { result, model } = ask({ prompt: DATES }, { vote: inOrder(pick("other", "Temporal")) });
  expect((await result).metadata.voting!.votes).toEqual({ Temporal: 3 });
  expect(model.requests[0]!.schema!.jsonSchema).toMatchObject({
    properties: { answer: { enum: ["moment.js", "date-fns", "other"] } },
    required: ["rationale", "answer", "other"],
    additionalProperties: false,
  });
});

test("[V-choices] other without saying which is no answer, unless it was offered", async () => {
  const silent = ask(
    { prompt: "Use tabs or spaces?" },
    { vote: inOrder(pick("other"), pick("other", " "), pick("tabs")) },
  );
  expect((await silent.result).metadata.voting).toMatchObject({ red_flagged: 2, votes: { tabs: 3 } });
  const offered = ask({ prompt: "Which box: name or other?" }, { vote: inOrder(pick("other")) });
  expect((await offered.result).metadata.voting).toMatchObject({ red_flagged: 0, votes: { other: 3 } });
});

test("[V-config] k, model and the cap of a request reach the calls they name", async () => {
  const config = { k: 5, model: "their-model", max_samples: 40 };
  const { result, model } = ask({ prompt: CAPITAL, config }, { vote: inOrder(vote("Canberra")) });
  const { result: report, metadata } = await result;
  expect(report).toContain("# First-to-ahead-by-5 Voting Result");
  expect(metadata.usage.calls).toBe(5);
  expect(metadata.model).toBe("their-model");
  expect(new Set(model.requests.map((request) => request.model))).toEqual(new Set(["their-model"]));
});

test("[V-equivalence] wordings that differ are compared by the helper once; the clusters list them", async () => {
  const { result, model } = ask(
    { prompt: "What does the S in HTTPS stand for?" },
    {
      vote: inOrder(vote("Secure"), vote("It means secure"), vote("secure"), vote("It means secure")),
      equivalence: inOrder({ object: { same: true } }),
    },
  );
  const { metadata } = await result;
  expect(metadata.voting).toMatchObject({
    converged: true,
    clusters: [
      {
        answer: "Secure",
        votes: 3,
        members: [{ text: "Secure" }, { text: "It means secure" }, { text: "secure" }],
      },
    ],
  });
  expect(model.of("equivalence")).toHaveLength(1);
  expect(model.of("equivalence")[0]!.model).toBe("helper-model");
  expect(metadata.usage.calls).toBe(4);
});

test("[V-equivalence] what was compared once is remembered by the caller's cache", async () => {
  const equivalences = new Map<string, boolean>();
  const script = {
    vote: inOrder(vote("NYC"), vote("New York City")),
    equivalence: inOrder({ object: { same: true } }),
  };
  const first = ask({ prompt: "Which city has the most taxis?" }, script, { equivalences });
  await first.result;
  const second = ask({ prompt: "Which city has the most taxis?" }, script, { equivalences });
  await second.result;
  expect(first.model.of("equivalence")).toHaveLength(1);
  expect(second.model.of("equivalence")).toHaveLength(0);
  expect(second.events).toContainEqual(
    expect.objectContaining({ type: "answers.compared", cached: true, same: true }),
  );
});

test("[V-equivalence] a comparison that fails or breaks form counts as different", async () => {
  const { result } = ask(
    { prompt: CAPITAL, config: { k: 2 } },
    {
      vote: inOrder(vote("Canberra"), vote("Canberra, ACT"), vote("Canberra"), vote("Canberra")),
      equivalence: inOrder({ text: "they are the same" }),
    },
  );
  expect((await result).metadata.voting!.votes).toEqual({ Canberra: 3, "Canberra, ACT": 1 });
});

test.each<[string, Scripted, string]>([
  ["was cut off", { ...vote("Canberra"), finishReason: "length" }, "length_stop"],
  ["was filtered", { text: "", finishReason: "content_filter" }, "refusal"],
  ["is a refusal", { text: "I'm sorry, but I can't help with that." }, "refusal"],
  ["is empty", { text: "  " }, "empty"],
  ["is only reasoning", { text: "<think>Sydney? No.</think>", usage: { reasoningTokens: 20 } }, "empty"],
  ["is prose", { text: "The answer is Canberra" }, "schema_invalid"],
  ["is broken JSON", { text: '{"answer": "Canberra", "rationale": ' }, "schema_invalid"],
  ["has no answer", { object: { rationale: "Canberra" } }, "schema_invalid"],
  ["has an empty answer", vote(" "), "schema_invalid"],
  ["rambles", { ...vote("Canberra"), usage: { outputTokens: 751 } }, "too_long"],
  ["rambles, uncounted", vote("Canberra", "so ".repeat(1001)), "too_long"],
])("[V-red-flag] an answer that %s is discarded and sampled again", async (_, bad, rule) => {
  const { result, events } = ask({ prompt: CAPITAL }, { vote: inOrder(bad, vote("Canberra")) });
  expect((await result).metadata.voting).toMatchObject({
    samples: 4,
    red_flagged: 1,
    votes: { Canberra: 3 },
    wasted: 0,
  });
  expect(events.filter(({ type }) => type === "sample.flagged")).toMatchObject([{ rule }]);
});

const ofLength = (outputTokens: number, reasoningTokens = 0): Scripted => ({
  ...vote("Canberra"),
  usage: { outputTokens, reasoningTokens },
});
const tooLong = (events: readonly CouncilEvent[]) =>
  events.flatMap((event) =>
    event.type === "sample.flagged" && event.rule === "too_long" ? [event.call] : [],
  );

test("[V-length] once lengths are known, an answer over 1.4 times their mean is discarded; reasoning does not count", async () => {
  const lengths = [200, 200, 200, 200, 200, 300];
  const { result, events } = ask(
    { prompt: CAPITAL, config: { k: 6 } },
    { vote: inOrder(...lengths.map((tokens) => ofLength(tokens)), ofLength(1000, 800)) },
  );
  expect((await result).metadata.voting).toMatchObject({ red_flagged: 1, samples: 7 });
  expect(tooLong(events)).toEqual([6]);
});

test("[V-length] short answers are no exception: among twenty tokens each, one of forty is discarded", async () => {
  const { result, events } = ask(
    { prompt: CAPITAL, config: { k: 6 } },
    { vote: inOrder(...Array<Scripted>(5).fill(ofLength(20)), ofLength(40), ofLength(20)) },
  );
  expect((await result).metadata.voting).toMatchObject({ red_flagged: 1, samples: 7 });
  expect(tooLong(events)).toEqual([6]);
});

test("[V-length] long answers count towards the mean, so that a flag never lowers the cap for the next", async () => {
  // 200 five times, then 300 for good: a mean of the unflagged alone would stay at 200 and flag every one of them.
  const { result, events } = ask(
    { prompt: CAPITAL, config: { k: 9 } },
    { vote: inOrder(...Array<Scripted>(5).fill(ofLength(200)), ofLength(300)) },
  );
  await result;
  const flagged = tooLong(events);
  expect(flagged.length).toBeGreaterThan(0);
  expect(flagged.length).toBeLessThan(5);
});

test("[V-length] refusals and malformed answers say nothing about the length of valid ones", async () => {
  const refusal: Scripted = { text: "I'm sorry, but I can't help.", usage: { outputTokens: 8 } };
  const { result, events } = ask(
    { prompt: CAPITAL, config: { k: 3 } },
    { vote: inOrder(...Array<Scripted>(5).fill(refusal), ofLength(40)) },
  );
  expect((await result).metadata.voting).toMatchObject({ red_flagged: 5, votes: { Canberra: 3 } });
  expect(tooLong(events)).toEqual([]);
});

test("[V-red-flag] the caller's own rule discards too, and one that breaks does not break the run", async () => {
  const own = ask(
    { prompt: CAPITAL },
    { vote: inOrder(vote("Sydney"), vote("Canberra")) },
    {
      redFlag: ({ text }) => (text.includes("Sydney") ? "not Sydney again" : undefined),
    },
  );
  expect((await own.result).metadata.voting).toMatchObject({ votes: { Canberra: 3 }, red_flagged: 1 });
  const broken = ask(
    { prompt: CAPITAL },
    { vote: inOrder(vote("Canberra")) },
    {
      redFlag: () => {
        throw new Error("oops");
      },
    },
  );
  await expect(broken.result).rejects.toMatchObject({
    code: "no_valid_answer",
    message: expect.stringContaining("oops"),
  });
});

test("[V-transport] transport errors are retried with growing delays, counted apart, and are no red flags", async () => {
  const error = new ModelError("connection reset", { retryable: true });
  const { result, events, model } = ask(
    { prompt: CAPITAL },
    { vote: inOrder({ error }, { error }, vote("Canberra")) },
  );
  const { metadata } = await result;
  expect(metadata.voting).toMatchObject({ samples: 3, red_flagged: 0, transport_errors: 2 });
  expect(metadata.usage.calls).toBe(3);
  expect(model.requests).toHaveLength(5);
  expect(events.filter(({ type }) => type === "call.retried")).toHaveLength(2);
});

test("[V-transport] Retry-After is honoured to the millisecond", async () => {
  const error = new ModelError("slow down", { retryable: true, retryAfterMs: 7000, status: 429 });
  const { result, clock } = ask(
    { prompt: CAPITAL, config: { k: 1 } },
    { vote: inOrder({ error }, vote("Canberra")) },
  );
  await result;
  expect(clock.now()).toBe(100 + 7000 + 100);
});

test("[V-transport] a Retry-After beyond the longest delay fails the call instead of waiting an hour", async () => {
  const error = new ModelError("come back later", { retryable: true, retryAfterMs: 3_600_000 });
  const { result, clock } = ask(
    { prompt: CAPITAL, config: { k: 1 } },
    { vote: inOrder({ error }) },
    { retry: { total: 3 } },
  );
  await expect(result).rejects.toMatchObject({ code: "all_calls_failed" });
  expect(clock.now()).toBeLessThan(1000);
});

test("[V-all-failed] when no call succeeds there is an error that says why, never an empty win", async () => {
  const error = new ModelError("invalid API key", { retryable: false, status: 401 });
  const { result, events, model } = ask({ prompt: CAPITAL }, { vote: inOrder({ error }) });
  await expect(result).rejects.toMatchObject({
    code: "all_calls_failed",
    message: expect.stringContaining("invalid API key"),
    usage: { calls: 3 },
  });
  expect(model.requests).toHaveLength(3);
  expect(typesOf(events).at(-1)).toBe("run.failed");
});

test("[V-all-failed] errors that never end are given up after the retry budget", async () => {
  const { result, model } = ask(
    { prompt: CAPITAL },
    { vote: () => ({ error: new Error("ECONNREFUSED") }) },
    { retry: { total: 10 } },
  );
  await expect(result).rejects.toMatchObject({ code: "all_calls_failed" });
  expect(model.requests.length).toBeLessThanOrEqual(12);
});

test("[V-all-failed] a model whose every answer is malformed ends in an error that says so", async () => {
  const { result } = ask({ prompt: CAPITAL }, { vote: inOrder({ text: "hm" }) });
  await expect(result).rejects.toMatchObject({
    code: "no_valid_answer",
    message: expect.stringContaining("schema_invalid: the reply holds no JSON object (6 times)"),
  });
});

test("[V-undecided] within the cap without a winner: said in the heading's place and in the metadata", async () => {
  const { result } = ask(
    { prompt: DATES, config: { max_samples: 8 } },
    { vote: (_, nth) => pick(nth % 2 ? "moment.js" : "date-fns") },
  );
  const { result: report, metadata } = await result;
  expect(report).toMatch(
    /^# First-to-ahead-by-3 Voting Result\n\n## No Winning Answer\n\nThe vote did not converge/,
  );
  expect(report).not.toContain("## Winning Answer");
  expect(metadata).toMatchObject({
    status: "degraded",
    voting: { converged: false, undecided: "sample_cap" },
  });
  expect(metadata.warnings).toHaveLength(1);
});

test("[V-undecided] when the answers scatter, the vote ends long before the cap", async () => {
  const { result } = ask(
    { prompt: CAPITAL, config: { k: 4 } },
    { vote: (_, nth) => vote(String(Math.floor(nth / 2))) },
  );
  expect((await result).metadata).toMatchObject({
    voting: { converged: false, undecided: "unlikely_majority", samples: 10 },
  });
});

const split = (_: unknown, nth: number) => vote(nth % 2 ? "1" : "2");

test("[V-escalate] nothing is escalated unless the request allows it", async () => {
  const { result, model } = ask({ prompt: CAPITAL }, { vote: split });
  expect((await result).metadata.escalation).toBeUndefined();
  expect(new Set(model.requests.map(({ purpose }) => purpose))).toEqual(new Set(["vote"]));
});

test("[V-escalate] an undecided vote is asked again in other words, then of a second model", async () => {
  const { result, model } = ask(
    { prompt: CAPITAL, config: { escalate: ["paraphrase", "second_model"] } },
    {
      vote: (request, nth) => (request.model === "second" ? vote("3") : split(request, nth)),
      paraphrase: inOrder({ object: { question: "Name Australia's capital." } }),
    },
    { models: { voter: "first", fallbacks: ["first", "second"] } },
  );
  const { metadata } = await result;
  expect(metadata).toMatchObject({
    status: "complete",
    model: "second",
    voting: { converged: true, votes: { 3: 3 } },
    escalation: [
      { to: "paraphrase", converged: false },
      { to: "second_model", converged: true },
    ],
  });
  expect(
    model.of("vote").some(({ messages }) => messages.at(-1)!.content.includes("Name Australia's capital.")),
  ).toBe(true);
});

test("[V-escalate] the council has the last word where it is allowed", async () => {
  const { result } = ask(
    { prompt: CAPITAL, config: { escalate: ["second_model", "council"] } },
    {
      vote: split,
      seat: inOrder({ object: { answer: "Canberra", proposal: "It is Canberra." } }),
      judge: inOrder({
        object: {
          consensus: [],
          contradictions: [],
          gaps: [],
          positions: [],
          dissent: [],
          decision: "Canberra.",
        },
      }),
    },
  );
  const { result: report, metadata } = await result;
  expect(report).toMatch(/^# MAKER-Council Report/);
  expect(metadata).toMatchObject({
    tool_used: "consult_council",
    escalation: [
      { to: "second_model", converged: false, error: "no second model is configured" },
      { to: "council" },
    ],
  });
});

test("[V-escalate] a council that fails leaves the undecided vote as the result", async () => {
  const { result } = ask(
    { prompt: CAPITAL, config: { escalate: ["council"] } },
    { vote: split, seat: inOrder({ error: new ModelError("down", { retryable: false }) }) },
  );
  expect((await result).metadata).toMatchObject({
    tool_used: "solve_with_voting",
    status: "degraded",
    escalation: [{ to: "council", converged: false, error: expect.stringContaining("down") }],
  });
});

test("[V-transport] many calls that fail together once do not end the run", async () => {
  const error = new ModelError("too many requests", { retryable: true, retryAfterMs: 1000, status: 429 });
  const { result } = ask(
    { prompt: CAPITAL, config: { k: 25 } },
    { vote: (_, nth) => (nth < 25 ? { error } : vote("Canberra")) },
  );
  expect((await result).metadata).toMatchObject({ status: "complete", voting: { transport_errors: 25 } });
});

test("a caller's cache that breaks ends the run with its error instead of hanging it", async () => {
  const equivalences = {
    get: () => {
      throw new Error("cache down");
    },
    set: () => {},
  };
  const { result } = ask({ prompt: CAPITAL }, { vote: inOrder(vote("a"), vote("b")) }, { equivalences });
  await expect(result).rejects.toThrow("cache down");
});

test("[V-auto] k: auto aims at the target with what is known of the model", async () => {
  const kFor = async (record?: { agreed: number; total: number }, config = {}) => {
    const { result } = ask(
      { prompt: CAPITAL, config: { k: "auto", ...config } },
      { vote: inOrder(vote("Canberra")) },
      { record: () => record },
    );
    return (await result).metadata.voting!.k;
  };
  expect(await kFor()).toBe(4);
  expect(await kFor({ agreed: 999, total: 1000 })).toBe(1);
  expect(await kFor({ agreed: 70, total: 100 })).toBe(10);
  expect(await kFor({ agreed: 995, total: 1000 }, { steps: 1_000_000 })).toBe(5);
  expect(await kFor({ agreed: 1, total: 10 })).toBe(25);
});

test("[V-hedge] hedge and speculation work from the request, and are reported apart", async () => {
  const { result } = ask(
    { prompt: CAPITAL, config: { speculation: 1 } },
    { vote: inOrder(vote("Canberra")) },
  );
  expect((await result).metadata).toMatchObject({
    voting: { speculated: 1, wasted: 1 },
    usage: { calls: 4, aborted_calls: 1 },
  });
  const slow = ask(
    { prompt: CAPITAL, config: { hedge: true } },
    { vote: (_, nth) => ({ ...vote("Canberra"), hang: nth === 2 }) },
  );
  expect((await slow.result).metadata).toMatchObject({
    voting: { hedged: 1, wasted: 1 },
    usage: { calls: 4, aborted_calls: 1 },
  });
  expect(slow.clock.now()).toBe(350);
});

test("hostile answers cannot break the report's table or the tally", async () => {
  const { result } = ask({ prompt: CAPITAL, config: { k: 1 } }, { vote: inOrder(vote("__proto__")) });
  expect(JSON.stringify((await result).metadata.voting!.votes)).toBe('{"__proto__":1}');
  const table = ask({ prompt: CAPITAL, config: { k: 1 } }, { vote: inOrder(vote("a | b\n| c | 9 |")) });
  expect((await table.result).result).toContain("| a \\| b \\| c \\| 9 \\| | 1 |");
});
