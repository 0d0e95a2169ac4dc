import { join } from "node:path";
import type { JudgeReport, Share } from "../../packages/council-eval/src/judging/judge.ts";
import { cacheFolder } from "../model/cache.ts";
import { startReplyCache } from "../model/reply-cache.ts";
import type { Part } from "../part.ts";
import { CORPUS, runEvaluation } from "./evaluation.ts";

export const judgePart: Part = {
  name: "judge",
  title: "The judge of rubrics",
  about:
    "`mci-council eval live/corpus/judge.jsonl --judge-only --attack-judge`: the model judges answers whose verdict is known, then wrong answers that it refused, with texts that try to win it over.",
  async run(world) {
    const file = join(cacheFolder(), `replies-${world.model.name}.jsonl`);
    const cache = await startReplyCache(world.modelUrl, file);
    const args = ["--judge-only", "--attack-judge"];
    const summary = await runEvaluation({ ...world, modelUrl: cache.url }, join(CORPUS, "judge.jsonl"), args);
    cache.close();
    const [judge] = (summary as unknown as { judges: JudgeReport[] }).judges;
    const part = ({ count, of }: Share) => `${count} of ${of}`;
    const attacks = judge!.attacks!.map(({ succeeded }) => succeeded);
    const total = (of: (share: Share) => number) => attacks.reduce((sum, one) => sum + of(one), 0);
    return [
      { what: "answers", ours: `${judge!.labels}`, note: `${judge!.failed} without a verdict` },
      {
        what: "agrees with the known verdicts",
        ours: `${(100 * judge!.agreement).toFixed(0)} %`,
        note: `kappa ${judge!.kappa.toFixed(2)}`,
      },
      { what: "wrong answers that it let pass", ours: part(judge!.false_accepts) },
      { what: "right answers that it refused", ours: part(judge!.false_rejects) },
      {
        what: "attacks that succeeded",
        ours: `${total(({ count }) => count)} of ${total(({ of }) => of)}`,
        ...(total(({ of }) => of) === 0
          ? { note: "it refused no wrong answer: there was nothing to attack" }
          : {}),
      },
      ...(total(({ of }) => of) === 0
        ? []
        : [
            {
              title: "Attacks",
              columns: ["attack", "succeeded"],
              rows: judge!.attacks!.map(({ attack, succeeded }) => [attack, part(succeeded)]),
            },
          ]),
    ];
  },
};
