import { equivalence } from "../prompts/answer-schemas.ts";
import type { Question } from "../prompts/messages.ts";
import { equivalencePrompt } from "../prompts/prompts.ts";
import type { Run } from "../run.ts";
import { sample } from "../sampling/sample.ts";
import type { Compare } from "./clusters.ts";
import { canAffordSelfTest, passesSelfTest, SELF_TEST_VERSION } from "./self-test.ts";

/**
 * Asks the helper model whether two answers to a question mean the same; cached. Its word counts only if it passed the self-test, and
 * only if it says yes in both orders. Otherwise they count as different: a wrong split costs calls, a wrong merge elects a wrong answer.
 * `late`: aborts when the time for such questions is over. Default: they may take the time of the run.
 */
export const sameMeaning =
  (run: Run, question: Question, late?: AbortSignal): Compare =>
  async (a, b) => {
    const { helper: model } = run.settings;
    const key = JSON.stringify([model, question.prompt, ...[a, b].toSorted()]);
    const cached = run.equivalences.get(key);
    if (cached !== undefined) {
      run.emit({ type: "answers.compared", a, b, same: cached, cached: true });
      return cached;
    }
    if (!(await isTrusted(run, model, late))) return false;
    const first = await askOnce(run, model, question, a, b, late);
    const same = first && (await askOnce(run, model, question, b, a, late));
    if (same === undefined) return false;
    run.equivalences.set(key, same);
    run.emit({ type: "answers.compared", a, b, same, cached: false });
    return same;
  };

/** From the cache, or tested now, once for all comparisons of the run. */
async function isTrusted(run: Run, model: string, late: AbortSignal | undefined): Promise<boolean> {
  const key = `${model} ${SELF_TEST_VERSION}`;
  const cached = run.selfTests.get(key);
  if (cached !== undefined) return cached || untrusted(run, `${model} failed the self-test`);
  if (!canAffordSelfTest(run)) return untrusted(run, `max_calls leaves no room to test ${model}`);
  const tests = testsInFlight.get(run) ?? testsInFlight.set(run, new Map()).get(run)!;
  const ask = (prompt: string, a: string, b: string) => askAbout(run, model, { prompt, a, b }, late);
  const test = tests.get(model) ?? passesSelfTest(ask, timeLimit(run));
  tests.set(model, test);
  const passed = await test;
  if (passed === undefined) return untrusted(run, `${model} could not be tested`);
  run.selfTests.set(key, passed);
  return passed || untrusted(run, `${model} failed the self-test`);
}

/** A run is started for its answer: on a slow server the test ends with a quarter of the time left, and has proved nothing. */
function timeLimit({ budget, clock }: Run): () => boolean {
  const until = clock.elapsed() + TIME_SHARE * budget.remainingMs();
  return () => clock.elapsed() > until;
}
const TIME_SHARE = 0.25;

const testsInFlight = new WeakMap<Run, Map<string, Promise<boolean | undefined>>>();

function untrusted(run: Run, why: string): false {
  run.notices.add(
    `Answers in different words were counted as different: ${why} for the question whether two answers mean the same.`,
  );
  return false;
}

const askAbout = (
  run: Run,
  model: string,
  { prompt, a, b }: { readonly prompt: string; readonly a: string; readonly b: string },
  late: AbortSignal | undefined,
) => askOnce(run, model, { prompt, newDelimiter: run.question.newDelimiter }, a, b, late);

async function askOnce(
  run: Run,
  model: string,
  question: Question,
  a: string,
  b: string,
  late: AbortSignal | undefined,
): Promise<boolean | undefined> {
  const messages = equivalencePrompt(question, a, b, { set: run.promptSet(model) });
  const request = { purpose: "equivalence", model, messages, schema: equivalence, temperature: 0 } as const;
  const sampled = await sample(run, request, late);
  return sampled.kind === "sample" ? sampled.value.same : undefined;
}
