import type { CouncilEvent } from "@mci-ts/council";
import type { RunResponse } from "../runs/live/live-run.ts";
import type { Metrics } from "./prometheus.ts";

/** Counts of agents' steps. */
export interface ActMeters {
  recordEvent(event: CouncilEvent): void;
  recordStep(session: string, response: RunResponse): void;
}

/** Distinct labels: tools and sessions are named by agents. */
const MAX_TOOL_LABELS = 50;
const MAX_SESSIONS = 10_000;
const CALL_BUCKETS = [1, 2, 3, 4, 5, 7, 10, 15, 25];

export function createActMeters(metrics: Metrics): ActMeters {
  const steps = metrics.counter<"decided">(
    "council_act_steps_total",
    "Steps of agents, by how they were decided.",
  );
  const contested = metrics.total(
    "council_act_contested_steps_total",
    "Steps whose samples did not all agree.",
  );
  const undecided = metrics.total("council_act_undecided_total", "Steps that no action won.");
  const flags = metrics.counter<"rule" | "tool">(
    "council_act_red_flags_total",
    "Samples of steps discarded by a red flag, by the tool that was called.",
  );
  const calls = metrics.histogram<never>(
    "council_act_calls_per_step",
    "Model calls of one step.",
    CALL_BUCKETS,
  );
  const cost = metrics.total(
    "council_act_cost_usd_total",
    "Cost of steps in US dollars, where it is known; divided by the sessions, the cost of one.",
  );
  const started = metrics.total(
    "council_act_sessions_total",
    "Sessions of agents that this instance has seen.",
  );
  const tools = new Set<string>();
  const sessions = new Set<string>();
  return {
    recordEvent(event) {
      if (event.type !== "sample.flagged" || event.tool === undefined) return;
      if (tools.size < MAX_TOOL_LABELS) tools.add(event.tool);
      flags.add({ rule: event.rule, tool: tools.has(event.tool) ? event.tool : "other" });
    },
    recordStep(session, { body }) {
      if (!sessions.has(session)) started.add({});
      // The newest are remembered.
      sessions.delete(session);
      sessions.add(session);
      const [oldest] = sessions;
      if (sessions.size > MAX_SESSIONS) sessions.delete(oldest!);
      if ("error" in body) {
        steps.add({ decided: body.error.code });
        if (body.error.code === "undecided") undecided.add({});
        return;
      }
      const { action, voting, usage } = body.metadata;
      const decided = action?.decided ?? "single";
      steps.add({ decided });
      if (decided === "leader" || decided === "ask") undecided.add({});
      if (voting && (voting.clusters.length > 1 || voting.red_flagged > 0)) contested.add({});
      calls.observe({}, usage.calls);
      cost.add({}, usage.cost_usd ?? 0);
    },
  };
}
