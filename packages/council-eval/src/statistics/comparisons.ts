import type { Result } from "../run/results-file.ts";
import { bootstrap, holm, type Interval, mcnemar, mean, pairedBootstrap } from "./statistics.ts";

/** Two methods on the same questions, with the same model. */
export interface Comparison {
  readonly model: string;
  readonly method: string;
  /** The first method that was asked for. */
  readonly baseline: string;
  /** Questions that both answered; a failed run counts as wrong. */
  readonly questions: number;
  /** Share of right answers of the method minus that of the baseline. */
  readonly difference: number;
  /** 95 %, bootstrap over the questions. */
  readonly interval: Interval;
  /** Questions that only one of them got right; with repeats, more often. */
  readonly only_method: number;
  readonly only_baseline: number;
  readonly test: "exact McNemar" | "paired bootstrap";
  readonly p: number;
  /** Adjusted for the number of comparisons of this model (Holm). */
  readonly p_adjusted: number;
}

/** Every method against the first one. */
export function compareMethods(results: readonly Result[]): readonly Comparison[] {
  return [...Map.groupBy(results, ({ model }) => model)].flatMap(([model, all]) => {
    const byMethod = Map.groupBy(all, ({ method }) => method);
    const [baseline, ...methods] = [...byMethod.keys()];
    if (baseline === undefined) return [];
    const reference = scores(byMethod.get(baseline)!);
    const repeated = all.some(({ run }) => run > 1);
    const compared = methods.map((method) => {
      const own = scores(byMethod.get(method)!);
      const pairs = [...own].flatMap(([question, score]) => {
        const other = reference.get(question);
        return other === undefined ? [] : [score - other];
      });
      const onlyMethod = pairs.filter((one) => one > 0).length;
      const onlyBaseline = pairs.filter((one) => one < 0).length;
      return {
        ...{ model, method, baseline, questions: pairs.length },
        difference: pairs.length === 0 ? 0 : mean(pairs),
        interval: pairs.length === 0 ? ([0, 0] as const) : bootstrap(pairs, mean),
        only_method: onlyMethod,
        only_baseline: onlyBaseline,
        test: repeated ? ("paired bootstrap" as const) : ("exact McNemar" as const),
        p: repeated ? pairedBootstrap(pairs) : mcnemar(onlyMethod, onlyBaseline),
      };
    });
    const adjusted = holm(compared.map(({ p }) => p));
    return compared.map((one, i) => ({ ...one, p_adjusted: adjusted[i]! }));
  });
}

/** The share of right runs of each question. */
function scores(results: readonly Result[]): ReadonlyMap<string, number> {
  const byQuestion = Map.groupBy(results, ({ question }) => question);
  return new Map(
    [...byQuestion].map(([question, all]) => [question, mean(all.map(({ correct }) => (correct ? 1 : 0)))]),
  );
}
