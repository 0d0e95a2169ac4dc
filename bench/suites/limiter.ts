/** Many runs at once against a provider that allows only so much: how much of what it allows is used, and whether a run fails. */
import { runCouncil } from "@mci-ts/council";
import { readConfig } from "../../packages/council-server/src/config/config.ts";
import { openModels } from "../../packages/council-server/src/providers/models.ts";
import { type FakeProviderOptions, startFakeProvider } from "../../packages/fake-provider/src/server.ts";
import type { Row, Suite } from "../suite.ts";
import { measureOutages } from "./limiter-outage.ts";

const K = 3;
const DEADLINE_MS = 60_000;
const LATENCY_MS = 500;
/** What the fake provider reserves for an answer, besides the prompt's tokens. */
const ANSWER_TOKENS = 50;

export const suite: Suite = {
  title: "Limits of a provider",
  about:
    `Votes of ${K} calls, all started at once, against \`mci-council-sim\` with a limit; each run has ${DEADLINE_MS / 1000} s. ` +
    "Bare is what the provider allows at best, ours what was reached; the ratio is the share of the limit that was used.",
  run: async () => [
    await measured("50 runs, 8 calls at a time", 50, { limitConcurrency: 8 }, concurrency),
    await measured("150 runs, 16 calls at a time", 150, { limitConcurrency: 16 }, concurrency),
    await measured("200 runs, 600,000 tokens a minute", 200, { limitTpm: 600_000 }, tokensPerMinute),
    await measureOutages(),
  ],
};

const concurrency = ({ limitConcurrency = 1 }: FakeProviderOptions, calls: number) =>
  (Math.ceil(calls / limitConcurrency) * LATENCY_MS) / 1000;
/** The first tenth of a minute's worth is there from the start; the last call still takes its time. */
const tokensPerMinute = ({ limitTpm = 1 }: FakeProviderOptions, _: number, tokens: number) =>
  (tokens - limitTpm / 10) / (limitTpm / 60) + LATENCY_MS / 1000;

/** `seconds`: the shortest time in which the provider can serve so many calls and tokens. */
async function measured(
  what: string,
  runs: number,
  limits: FakeProviderOptions,
  seconds: (limits: FakeProviderOptions, calls: number, tokens: number) => number,
): Promise<Row> {
  const provider = await startFakeProvider({
    ...limits,
    behaviour: { truth: "tabs", latency: { median_ms: LATENCY_MS } },
  });
  const models = await openModels(readConfig({ MAKER_API_URL: provider.url, MAKER_API_MODEL: "sim" }).models);
  const start = performance.now();
  const one = () =>
    runCouncil(
      { prompt: "Is it better to use tabs or spaces?", context: { code: PADDING }, config: { k: K } },
      {
        model: models.forRun({ deadlineAt: start + DEADLINE_MS }),
        models: models.names,
        budget: { deadline_ms: DEADLINE_MS },
      },
    ).then(
      ({ metadata }) => metadata.usage,
      () => undefined,
    );
  const usages = await Promise.all(Array.from({ length: runs }, one));
  const took = (performance.now() - start) / 1000;
  const { stats } = provider;
  await provider.close();
  const served = usages.filter((usage) => usage !== undefined);
  const calls = served.reduce((sum, usage) => sum + usage.calls, 0);
  const tokens = served.reduce((sum, usage) => sum + usage.input_tokens, 0) + calls * ANSWER_TOKENS;
  const best = seconds(limits, calls, tokens);
  const failed = runs - served.length;
  const ratio = best / took;
  return {
    what,
    bare: `${(runs / best).toFixed(1)} runs/s`,
    ours: `${(served.length / took).toFixed(1)} runs/s`,
    ratio,
    target: "at least 0.9, none failed",
    met: ratio >= 0.9 && failed === 0,
    note: `${failed} failed; ${stats.refused} of ${stats.arrivals} calls were refused and sent again`,
  };
}

/** Tokens are what is limited: prompts of some size. */
const PADDING = "const value = compute(input);\n".repeat(20);
