import { equivalence } from "../prompts/answer-schemas.ts";
import type { Question } from "../prompts/messages.ts";
import { equivalencePrompt } from "../prompts/prompts.ts";
import type { Run } from "../run.ts";
import { sample } from "../sampling/sample.ts";
import type { Compare } from "./clusters.ts";

/**
 * Asks the helper model whether two answers to a question mean the same; cached. If that fails, they count as different: a wrong
 * split costs calls, a wrong merge elects a wrong answer.
 */
export const sameMeaning =
  (run: Run, question: Question): Compare =>
  async (a, b) => {
    const { helper: model } = run.settings;
    const key = JSON.stringify([model, question.prompt, ...[a, b].toSorted()]);
    const known = run.equivalences.get(key);
    if (known !== undefined) {
      run.emit({ type: "answers.compared", a, b, same: known, cached: true });
      return known;
    }
    const messages = equivalencePrompt(question, a, b);
    const request = { purpose: "equivalence", model, messages, schema: equivalence, temperature: 0 } as const;
    const sampled = await sample(run, request);
    if (sampled.kind !== "sample") return false;
    const { same } = sampled.value;
    run.equivalences.set(key, same);
    run.emit({ type: "answers.compared", a, b, same, cached: false });
    return same;
  };
