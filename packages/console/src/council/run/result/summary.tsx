import { Facts } from "../../../parts/facts.tsx";
import { formatDuration, formatMoney, formatNumber, words } from "../../../parts/format.ts";
import { useNow } from "../../../parts/use-now.ts";
import { useToolLabel } from "../../../parts/use-parts.ts";
import type { Call, RunState } from "../run-state.ts";

/** The numbers of a run: as of now while it goes on, as of the event shown in a replay. */
export function Summary({ run, live }: { run: RunState; live: boolean }) {
  const toolLabel = useToolLabel();
  const isRunning = run.phase === "running";
  const now = useNow(live && isRunning);
  const usage = run.response?.metadata.usage;
  const calls = [...run.calls.values()];
  const end = run.endedAt ?? (live ? Math.max(now, run.at) : run.at);
  const tokens = usage
    ? usage.input_tokens + usage.output_tokens
    : calls.reduce((sum, call) => sum + call.tokens, 0);
  const inFlight = calls.filter(({ endedAt }) => endedAt === undefined).length;
  return (
    <Facts
      facts={[
        [
          "Method",
          toolLabel(run.routing?.tool ?? run.response?.metadata.tool_used),
          run.routing && (run.routing.by === "intent" ? "as asked" : `by the prompt: ${run.routing.rule}`),
        ],
        ["Status", statusOf(run)],
        ["Time", run.startedAt === undefined ? "–" : formatDuration(end - run.startedAt)],
        [
          "Calls",
          formatNumber(usage?.calls ?? calls.length),
          inFlight > 0 && !usage ? `${formatNumber(inFlight)} in flight` : undefined,
        ],
        ["Tokens", formatNumber(tokens)],
        [
          "Cost",
          usage ? formatMoney(usage.cost_usd, usage.cost_source) : costSoFar(calls),
          isRunning ? "so far" : undefined,
        ],
      ]}
    />
  );
}

function statusOf(run: RunState): string {
  if (run.response) return words(run.response.metadata.status);
  if (run.error) return words(run.error.code);
  if (run.stopped) return `stopped: ${words(run.stopped)}`;
  return run.phase;
}

/** What the calls that have ended cost. One of unknown cost makes the sum unknown. */
function costSoFar(calls: readonly Call[]): string {
  if (calls.some(({ model }) => model === "simulated")) return formatMoney(0, "simulated");
  const costs = calls.flatMap(({ costUsd }) => (costUsd === undefined ? [] : [costUsd]));
  if (costs.length === 0) return "–";
  const isUnknown = costs.includes(null);
  return formatMoney(isUnknown ? null : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0), null);
}
