import { expect, test } from "vitest";
import { seededRandom } from "../../test/seeded-random.ts";
import { virtualClock } from "../../test/virtual-clock.ts";
import { type Arrival, type VoteLoopOptions, voteLoop } from "./loop.ts";
import { countVote, newTally, standing } from "./tally.ts";

/** Letters are votes in order of the calls; `!` is a red flag, `x` a failed call, `X` a fatal one, `.` the budget's end. */
function scripted(
  script: string,
  options: Partial<VoteLoopOptions> & { latency?: (index: number) => number } = {},
) {
  const clock = virtualClock();
  const inFlight: number[] = [];
  let open = 0;
  const sample: VoteLoopOptions["sample"] = async (index, signal) => {
    inFlight.push(++open);
    await clock.sleep(options.latency?.(index) ?? 100, signal).catch(() => {});
    open--;
    return KINDS[script[index]!] ?? { kind: "vote", key: script[index]! };
  };
  const done = voteLoop({ k: 3, maxSamples: 100, speculation: 0, hedge: false, clock, sample, ...options });
  return { result: clock.run(done), clock, inFlight };
}
const KINDS: Record<string, Arrival> = {
  "!": { kind: "flagged" },
  x: { kind: "failed", fatal: false },
  X: { kind: "failed", fatal: true },
  ".": { kind: "stopped" },
};

test("[V-need] a unanimous vote starts k calls at once and ends with them", async () => {
  const { result, clock, inFlight } = scripted("AAA");
  expect(await result).toMatchObject({ winner: "A", samples: 3, wasted: 0 });
  expect(clock.now()).toBe(100);
  expect(inFlight).toEqual([1, 2, 3]);
});

test.each([
  ["AABAA", 3, "A", 5],
  ["ABBABBB", 3, "B", 7],
  ["A!A!A", 3, "A", 5],
  ["AxAxA", 3, "A", 3],
  ["ABCAA", 2, "A", 5],
])("[V-need] %s with k = %i ends in %s after %i replies, none wasted", async (script, k, winner, samples) => {
  expect(await scripted(script, { k }).result).toMatchObject({ winner, samples, wasted: 0 });
});

test("[V-need] whatever the order of arrival, exactly the needed calls are in flight once two votes agree, and as many in all as one by one", async () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = seededRandom(seed);
    const k = 1 + Math.floor(random() * 5);
    const counted: string[] = [];
    const { sample, arriveOne, open } = byHand(() =>
      random() < 0.1 ? "!" : random() < 0.65 ? "A" : random() < 0.7 ? "B" : "C",
    );
    const done = voteLoop({
      k,
      maxSamples: 10_000,
      speculation: 0,
      hedge: false,
      clock: virtualClock(),
      sample,
    });
    let ended: Awaited<typeof done> | undefined;
    done.then((result) => (ended = result));
    let tally = newTally(k);
    while (!ended) {
      const { need, leaderVotes } = standing(tally);
      // While no two votes agree, fewer may be in flight: the question may prove open.
      if (leaderVotes > 1) expect(open()).toBe(need);
      else expect(open()).toBeLessThanOrEqual(need);
      const letter = await arriveOne(random());
      counted.push(letter);
      if (letter !== "!") tally = countVote(tally, letter);
    }
    // One by one over the same arrivals: the decision falls on the last, not before.
    const decidedAt = counted.findIndex((_, i) => standing(votes(k, counted.slice(0, i + 1))).need === 0) + 1;
    expect(ended).toMatchObject({ samples: decidedAt, wasted: 0 });
    expect(counted.length).toBe(decidedAt);
  }
});

test("[V-cap] a vote that cannot be decided within the cap stops there, without a winner", async () => {
  const outcome = await scripted("ABABABABAB", { maxSamples: 6 }).result;
  expect(outcome).toMatchObject({ winner: null, undecided: "sample_cap", wasted: 0 });
  expect(outcome.samples).toBeLessThanOrEqual(6);
});

test("[V-cap] red flags count towards the cap, so that a model that only rambles comes to an end", async () => {
  expect(await scripted(`A${"!".repeat(50)}`, { maxSamples: 9 }).result).toMatchObject({
    winner: null,
    undecided: "sample_cap",
    flagged: 8,
    samples: 9,
  });
});

test("[V-early-stop] after k + 3 replies without one valid vote, no further call is made", async () => {
  for (const k of [1, 3, 5])
    expect(await scripted("!".repeat(50), { k }).result).toMatchObject({
      winner: null,
      undecided: "no_valid_votes",
      flagged: k + 3,
      samples: k + 3,
      wasted: 0,
    });
});

test("[V-early-stop] one valid vote among them, and the vote goes on", async () => {
  expect(await scripted("!!!!!A!!AA").result).toMatchObject({ winner: "A", flagged: 7, samples: 10 });
});

test("[V-open] when no two of five answers agree, the question is an open one", async () => {
  expect(await scripted("ABCDEFGHIJKLM").result).toMatchObject({
    winner: null,
    undecided: "no_agreement",
    samples: 5,
  });
});

test("[V-cap] when at most two of ten agree, a majority is unlikely", async () => {
  expect(await scripted("AABBCCDDEEFFGG", { k: 4 }).result).toMatchObject({
    winner: null,
    undecided: "unlikely_majority",
    samples: 10,
  });
});

test("a fatal failure ends the voteLoop at once; an empty budget as soon as what already came is counted", async () => {
  expect(await scripted("AX").result).toMatchObject({ winner: null, undecided: "transport" });
  expect(await scripted("A.A").result).toMatchObject({ winner: null, undecided: "budget", samples: 2 });
  expect(await scripted("AA.AA").result).toMatchObject({ winner: null, undecided: "budget", samples: 2 });
});

test("[V-hedge] with the hedge on, one call older than 2.5 medians is helped by one other", async () => {
  const latency = (index: number) => (index === 2 ? 10_000 : 100);
  const hedged = scripted("AAAA", { hedge: true, latency });
  expect(await hedged.result).toMatchObject({ winner: "A", hedged: 1, wasted: 1 });
  expect(hedged.clock.now()).toBe(350);
  const patient = scripted("AAAA", { latency });
  expect(await patient.result).toMatchObject({ winner: "A", hedged: 0, wasted: 0 });
  expect(patient.clock.now()).toBe(10_000);
});

test("[V-hedge] with speculation e, e more calls are in flight, and reported apart", async () => {
  const extras: string[] = [];
  const { result } = scripted("AAAAA", { speculation: 2, onExtra: (kind) => extras.push(kind) });
  expect(await result).toMatchObject({ winner: "A", samples: 3, speculated: 2, wasted: 2 });
  expect(extras).toEqual(["speculation", "speculation"]);
});

const votes = (k: number, letters: readonly string[]) =>
  letters.filter((letter) => letter !== "!").reduce(countVote, newTally(k));

/** Calls that arrive one at a time, each picked by the test. */
function byHand(letter: () => string) {
  const waiting: ((arrival: Arrival) => void)[] = [];
  return {
    sample: () => new Promise<Arrival>((resolve) => waiting.push(resolve)),
    open: () => waiting.length,
    async arriveOne(random: number) {
      const [resolve] = waiting.splice(Math.floor(random * waiting.length), 1);
      const arrival = letter();
      resolve!(KINDS[arrival] ?? { kind: "vote", key: arrival });
      await Promise.resolve().then(() => {});
      return arrival;
    },
  };
}
