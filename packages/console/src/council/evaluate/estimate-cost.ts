import {
  describeEstimate,
  describeTime,
  type Estimate,
  estimate,
  methodOf,
  type Question,
} from "@mci-ts/council-eval/console";
import type { EvaluationOptions } from "@mci-ts/council-server/api";
import { modelsOf } from "./matrix.ts";
import type { Ask, Cell } from "./types.ts";

export interface CostEstimate {
  readonly calls: number;
  /** Whether nothing of it costs money. */
  readonly isFree: boolean;
  readonly text: string;
  readonly time: string;
  /** What the service may refuse. */
  readonly warning: string | undefined;
}

/** Calls, dollars and time of what is to be asked, by the arithmetic of `mci-council eval`. */
export function estimateCost(
  open: readonly Ask[],
  cells: ReadonlyMap<string, Cell>,
  concurrency: number,
  options: EvaluationOptions,
): CostEstimate {
  const byColumn = Map.groupBy(open, ({ column }) => column);
  const total = [...byColumn.values()].reduce((sum, asks) => added(sum, estimateOf(asks, options)), NOTHING);
  const { max_calls, max_usd } = options.daily;
  const perCall = secondsPerCall([...cells.values()]);
  const isTooMany = max_calls !== undefined && total.calls > max_calls;
  const isTooMuch = max_usd !== undefined && total.usd !== null && total.usd.expected > max_usd;
  return {
    calls: total.calls,
    isFree: total.usd !== null && total.usd.expected === 0,
    text: describeEstimate(total),
    time: describeTime(total.calls, concurrency, perCall),
    warning:
      isTooMany || isTooMuch
        ? `More than the daily budget of the service (${isTooMany ? `${max_calls} calls` : `$${max_usd}`}): the rest waits for tomorrow (UTC).`
        : undefined,
  };
}

const NOTHING: Estimate = { minCalls: 0, calls: 0, usd: { min: 0, expected: 0 } };

function added(a: Estimate, b: Estimate): Estimate {
  return {
    minCalls: a.minCalls + b.minCalls,
    calls: a.calls + b.calls,
    usd:
      a.usd === null || b.usd === null
        ? null
        : { min: a.usd.min + b.usd.min, expected: a.usd.expected + b.usd.expected },
  };
}

/** Of questions that are asked in the same way. */
function estimateOf(asks: readonly Ask[], options: EvaluationOptions): Estimate {
  const { column } = asks[0]!;
  const method = methodOf(column.method)!;
  const methods = new Map([
    ["", column.settings["cheap_first"] === true ? { ...method, ...CHEAP_FIRST } : method],
  ]);
  const named = modelsOf(column);
  const models = named.length > 0 ? named : [options.models[0]!.name];
  const questions = asks.map(({ row, prompt }) => ({ ...row, prompt, hash: "" }) as Question);
  const each = models.map((model) => estimate(questions, methods, [model], priceOf(options)));
  // Of a panel, the dearest: its members take turns.
  return each.toSorted((a, b) => dollarsOf(b) - dollarsOf(a))[0]!;
}

const dollarsOf = ({ usd }: Estimate) => usd?.expected ?? Number.MAX_VALUE;

const priceOf =
  ({ models, simulated }: EvaluationOptions) =>
  (model: string, { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }) => {
    if (simulated) return 0;
    const price = models.find(({ name }) => name === model)?.usd_per_million;
    return price ? (inputTokens * price.input + outputTokens * price.output) / 1e6 : undefined;
  };

/** Two votes where they agree; with 80 % right ones they do in two of three cases, and a vote of 3 takes five. */
const CHEAP_FIRST = { minCalls: 2, expectedCalls: (p: number) => 2 + (1 - p * p - (1 - p) * (1 - p)) * 3 };

function secondsPerCall(cells: readonly Cell[]): number | undefined {
  const answered = cells.filter(({ state }) => state === "answered");
  const calls = answered.reduce((sum, cell) => sum + (cell.calls ?? 0), 0);
  return calls === 0 ? undefined : answered.reduce((sum, cell) => sum + (cell.seconds ?? 0), 0) / calls;
}
