import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Model } from "../../packages/council/src/model.ts";
import { openRun } from "../../packages/council/src/run.ts";
import { createClusters } from "../../packages/council/src/voting/clusters.ts";
import { sameMeaning } from "../../packages/council/src/voting/equivalence.ts";
import type { Part } from "../part.ts";
import { CORPUS } from "./evaluation.ts";

interface Pair {
  readonly question: string;
  readonly a: string;
  readonly b: string;
  readonly same: boolean;
}

/** So many pairs that differ are also asked without the self-test, to show what it protects from. */
const UNGUARDED = 15;

export const pairsPart: Part = {
  name: "pairs",
  title: "Whether two answers mean the same",
  about:
    "The pairs of `live/corpus/answer-pairs.jsonl` are counted as in a vote: by their canonical form, and by the model where it passes the self-test. Then some pairs that differ are asked as if it had passed.",
  async run({ model: { name }, modelUrl, progress }) {
    const pairs = readFileSync(join(CORPUS, "answer-pairs.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Pair);
    const model = bareModel(modelUrl);
    const merges = async ({ question, a, b }: Pair, selfTests: Map<string, boolean>) => {
      const run = openRun({ prompt: question }, { model, models: { voter: name }, selfTests });
      const clusters = createClusters(sameMeaning(run, run.question), question);
      const keys = [await clusters.place(a), await clusters.place(b)];
      run.budget.close();
      return keys[0] === keys[1];
    };
    const selfTests = new Map<string, boolean>();
    let [merged, wrong] = [0, 0];
    for (const [i, pair] of pairs.entries()) {
      if (i % 100 === 0) progress(`pair ${i + 1} of ${pairs.length}`);
      const isMerged = await merges(pair, selfTests);
      if (isMerged && pair.same) merged++;
      if (isMerged && !pair.same) wrong++;
    }
    const [key, passed] = [...selfTests][0] ?? [];
    const calls = model.calls();
    const different = pairs.filter(({ same }) => !same);
    const some = different
      .filter((_, i) => i % Math.floor(different.length / UNGUARDED) === 0)
      .slice(0, UNGUARDED);
    let lies = 0;
    for (const pair of some) if (await merges(pair, new Map(key === undefined ? [] : [[key, true]]))) lies++;
    const same = pairs.filter((pair) => pair.same).length;
    return [
      {
        what: "passes the self-test",
        ours: passed === undefined ? "not asked" : passed ? "yes" : "no",
        note: `${calls} calls`,
      },
      {
        what: "pairs that differ, merged",
        ours: `${wrong} of ${pairs.length - same}`,
        target: "0",
        met: wrong === 0,
      },
      { what: "pairs that mean the same, merged", ours: `${merged} of ${same}` },
      {
        what: "pairs that differ, merged without the self-test",
        ours: `${lies} of ${some.length}`,
        note: "what it protects from",
      },
    ];
  },
};

/** Only what the question needs: no retries, no dialects. */
function bareModel(url: string): Model & { calls(): number } {
  let calls = 0;
  return {
    calls: () => calls,
    async complete({ model, messages, temperature, maxOutputTokens, schema }, signal) {
      calls++;
      const response = await fetch(`${url}/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          ...{ model, messages, temperature, max_tokens: maxOutputTokens },
          response_format: {
            type: "json_schema",
            json_schema: { name: "answer", strict: true, schema: schema?.bounded },
          },
        }),
        signal: signal ?? null,
      });
      const { choices, usage } = (await response.json()) as {
        choices: { message: { content: string } }[];
        usage: { prompt_tokens: number; completion_tokens: number };
      };
      return {
        text: choices[0]!.message.content,
        finishReason: "stop" as const,
        usage: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens },
        latencyMs: 1,
      };
    },
  };
}
