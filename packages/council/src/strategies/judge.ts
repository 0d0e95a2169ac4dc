import { type AnswerForm, type Verdict, verdictSchema } from "../prompts/answer-schemas.ts";
import { judgePrompt } from "../prompts/prompts.ts";
import type { Run } from "../run.ts";
import { sample } from "../sampling/sample.ts";
import { label, shuffled } from "./anonymous.ts";

export interface Judgement {
  readonly model: string;
  readonly verdict: Verdict;
  /** The judge found the proposals dangerously at odds. */
  readonly redFlag: boolean;
}

/** A malformed verdict is asked for once more; then the next model is tried. */
const MAX_ATTEMPTS_PER_JUDGE = 2;

/** Lets the first judge that can decide. Proposals lose their seat, their order, and any power to give orders. */
export async function judge(
  run: Run,
  proposals: readonly string[],
  form: AnswerForm,
  k: number,
): Promise<Judgement | { readonly error: string }> {
  const order = shuffled(proposals.length, run.random);
  const labelled = order.map((index, place) => ({ label: label(place), text: proposals[index]! }));
  const messages = judgePrompt(run.question, labelled, form, k);
  const schema = verdictSchema(form);
  let error = "no judge is configured";
  for (const model of run.settings.judges) {
    run.emit({ type: "judge.started", model, proposals: proposals.length });
    for (let attempt = 0; attempt < MAX_ATTEMPTS_PER_JUDGE; attempt++) {
      const sampled = await sample(run, {
        purpose: "judge",
        model,
        messages,
        schema,
        object: form.object,
        temperature: attempt * 0.1,
      });
      if (sampled.kind === "sample") {
        const redFlag = RED_FLAG.test(sampled.value.decision);
        run.emit({ type: "judge.decided", model, red_flag: redFlag, answer: sampled.value.answer });
        return { model, verdict: sampled.value, redFlag };
      }
      if (sampled.kind === "stopped") return { error: "the run was stopped before a judge could decide" };
      error = `${model}: ${sampled.reason}`;
      if (sampled.kind === "failed") break;
    }
    run.emit({ type: "judge.failed", model, error });
  }
  return { error: `every judge failed, the last being ${error}` };
}

/** Judges like to dress it: `**RED FLAG:**`, `## RED FLAG:`. */
const RED_FLAG = /^[\s*_#>"'`]*RED FLAG[\s*_"'`]*:/i;
