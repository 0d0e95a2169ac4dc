/** What the engine itself costs: a model that answers at once, and the router. */
import { type Model, route, runCouncil } from "@mci-ts/council";
import { voteLoop } from "../../packages/council/src/voting/loop.ts";
import { virtualClock } from "../../packages/council/test/virtual-clock.ts";
import { compare, measure } from "../measure.ts";
import { micro, type Row } from "../suite.ts";
import { PROMPT, TRUTH } from "./council-ways.ts";

const K = 3;

export async function engineAlone(): Promise<Row[]> {
  return [await wholeEngine(), await scheduler(), await router()];
}

async function wholeEngine(): Promise<Row> {
  const text = JSON.stringify({ answer: TRUTH, other: null, rationale: "It is the convention here." });
  const usage = { inputTokens: 200, outputTokens: 20 };
  const model: Model = {
    complete: async () => ({ text, finishReason: "stop", usage, latencyMs: 0 }),
  };
  const never = new AbortController().signal;
  const request = { model: "m", purpose: "vote", messages: [], temperature: 0, maxOutputTokens: 1 } as const;
  const { bare, ours } = await compare(
    async () => {
      const replies = await Promise.all(Array.from({ length: K }, () => model.complete(request, never)));
      const votes = Map.groupBy(replies, (reply) => JSON.parse(reply.text).answer);
      if (votes.get(TRUTH)?.length !== K) throw new Error("votes are missing");
    },
    async () => {
      const asked = { prompt: PROMPT, intent: "validation", config: { k: K } } as const;
      const { metadata } = await runCouncil(asked, { model, models: { voter: "m" }, onEvent: () => {} });
      if (metadata.voting?.votes[TRUTH] !== K) throw new Error("votes are missing");
    },
    { calls: 300 },
  );
  return {
    what: `engine alone: a vote with k = ${K}, from request to report`,
    bare: micro(bare.median),
    ours: micro(ours.median),
    note: `${perSecond(ours.median / K)} votes/s; bare: three calls, three \`JSON.parse\`, one count`,
  };
}

async function scheduler(): Promise<Row> {
  const k = 25;
  const schedule = { k, maxSamples: 1000, speculation: 0, hedge: false, clock: virtualClock() };
  const { median } = await measure(
    () => voteLoop({ ...schedule, sample: async () => ({ kind: "vote", key: TRUTH }) }),
    { calls: 500 },
  );
  return {
    what: `scheduler and count alone, k = ${k}`,
    ours: `${micro(median / k)} a vote`,
    note: `${perSecond(median / k)} votes/s`,
  };
}

async function router(): Promise<Row> {
  const times: [kind: string, time: number][] = [];
  for (const [kind, line] of Object.entries(LINES)) {
    const prompt = line.repeat(Math.ceil(10_000 / line.length)).slice(0, 10_000);
    const { median } = await measure(() => route({ prompt }), { calls: 50 });
    times.push([kind, median]);
  }
  const [kind, slowest] = times.toSorted(([, a], [, b]) => b - a)[0]!;
  return {
    what: `router, prompt of 10 kB, slowest of ${times.length} kinds (${kind})`,
    ours: micro(slowest),
    target: "< 1 ms",
    met: slowest < 1000,
  };
}

/** Prompts that keep different rules busy, to the end or in vain. */
const LINES = {
  prose: "The service keeps sessions in memory, and every deploy logs everybody out. ",
  code: "```ts\nconst total = items.reduce((sum, item) => sum + item.price, 0);\n```\n",
  choices: "should we use one or another, or a third or a fourth? ",
  "a list": "- which option to pick\n",
  quotes: "'one', 'two', 'three' ",
  steps: "first do this, then plan the steps to do that ",
  spaces: " \n\t ",
  "one word": "between",
};

const perSecond = (microseconds: number) => Math.round(1_000_000 / microseconds).toLocaleString("en");
