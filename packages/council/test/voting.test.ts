import { expect, test } from "vitest";
import { ask } from "./ask.ts";
import { inOrder, pick, vote } from "./scripted-model.ts";

const DATES =
  "For date manipulation in JS, is it better to use 'moment.js' or 'date-fns' in a new project in 2025?";
const CAPITAL = "What is the capital of Australia?";

test("[V-report] a unanimous vote is one round of three calls at temperature 0, each in another wording", async () => {
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
      agreement: 1,
      wasted: 0,
    },
    usage: { calls: 3, input_tokens: 300, output_tokens: 60, aborted_calls: 0, cost_source: "provider" },
  });
  expect(model.requests.map(({ temperature }) => temperature)).toEqual([0, 0, 0]);
  expect(new Set(model.requests.map(({ messages }) => JSON.stringify(messages))).size).toBe(3);
  expect(clock.now()).toBe(100);
});

test("[B-choices] the choices found in the prompt are the only answers, with room for another", async () => {
  const { result, model } = ask({ prompt: DATES }, { vote: inOrder(pick("other", "Temporal")) });
  expect((await result).metadata.voting!.votes).toEqual({ Temporal: 3 });
  expect(model.requests[0]!.schema!.jsonSchema).toMatchObject({
    properties: { answer: { enum: ["moment.js", "date-fns", "other"] } },
    required: ["rationale", "answer", "other"],
    additionalProperties: false,
  });
});

test("[B-choices] other without saying which is not an answer, unless it was offered", async () => {
  const silent = ask(
    { prompt: "Use tabs or spaces?" },
    { vote: inOrder(pick("other"), pick("other", " "), pick("tabs")) },
  );
  expect((await silent.result).metadata.voting).toMatchObject({ red_flagged: 2, votes: { tabs: 3 } });
  const offered = ask({ prompt: "Which box: name or other?" }, { vote: inOrder(pick("other")) });
  expect((await offered.result).metadata.voting).toMatchObject({ red_flagged: 0, votes: { other: 3 } });
});

test("k, model and the cap of a request reach the calls they name", async () => {
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
  expect(model.of("equivalence")).toHaveLength(2);
  expect(model.of("equivalence")[0]!.model).toBe("helper-model");
  expect(metadata.usage.calls).toBe(5);
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
  expect(first.model.of("equivalence")).toHaveLength(2);
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

test("[V-cap] within the cap without a winner: said in the heading's place and in the metadata", async () => {
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

test("[V-cap] when the answers scatter, the vote ends long before the cap", async () => {
  const { result } = ask(
    { prompt: CAPITAL, config: { k: 4 } },
    { vote: (_, nth) => vote(String(Math.floor(nth / 2))) },
  );
  expect((await result).metadata).toMatchObject({
    voting: { converged: false, undecided: "unlikely_majority", samples: 10 },
  });
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

test("max_samples below k is raised, and the run says so", async () => {
  const answers = { vote: inOrder(pick("date-fns")) };
  const raised = await ask({ prompt: DATES, config: { k: 4, max_samples: 3 } }, answers).result;
  expect(raised.metadata).toMatchObject({
    voting: { samples: 4 },
    warnings: [expect.stringMatching(/^max_samples is 3, below k: a vote takes up to 4 samples/)],
  });
  const enough = await ask({ prompt: DATES, config: { k: 4, max_samples: 4 } }, answers).result;
  expect(enough.metadata.warnings).toEqual([]);
});
