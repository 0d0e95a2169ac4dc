import { expect, test } from "vitest";
import type { CouncilEvent } from "../src/events.ts";
import { ask } from "./ask.ts";
import { inOrder, type Scripted, vote } from "./scripted-model.ts";

const CAPITAL = "What is the capital of Australia?";

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

test("[V-length] this holds for short answers too: among twenty tokens each, one of forty is discarded", async () => {
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
