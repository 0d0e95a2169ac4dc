import { MCIClientError } from "../../errors.ts";
import {
  type CommitOptions,
  type CommitReport,
  type CommittedEntry,
  commitPlan,
  type PlannedClient,
} from "./commit.ts";
import { openPlanStore } from "./open-plan-store.ts";
import { describePlan, type Plan } from "./plan.ts";
import type { PlanStore } from "./plan-store.ts";

/** "waiting": nothing was begun; "incomplete": a part was, and the rest waits; "changed": it was edited, and is never committed. */
export type PlanState = "waiting" | "committing" | "incomplete" | "committed" | "changed";

export interface PlanSummary {
  readonly id: string;
  readonly state: PlanState;
  /** Absent of a plan that was changed: nothing of it can be trusted. */
  readonly createdAt?: string;
  /** How often each tool is called. */
  readonly writes: Readonly<Record<string, number>>;
  readonly done: number;
}

export interface PlanDetail extends PlanSummary {
  readonly plan: Plan;
  /** For people: each request. */
  readonly text: string;
  readonly entries: readonly CommittedEntry[];
}

/** The plans of a store, for a page or a program in which people read and approve them. */
export interface Plans {
  /** The newest first. */
  list(): Promise<PlanSummary[]>;
  /** Throws where there is no such plan, or it is not as it was made. */
  show(id: string): Promise<PlanDetail>;
  /** Executes the plan with this digest, which is that of the plan that was shown. */
  commit(id: string, digest: string, options?: CommitOptions): Promise<CommitReport>;
  /** Removes a plan of which nothing was begun. */
  discard(id: string): Promise<void>;
}

/** The plans that `codeTool(client, { plans })` makes, in a folder or another store. */
export function openPlans(client: PlannedClient, plans: string | PlanStore): Plans {
  const store = openPlanStore(plans);
  return {
    async list() {
      const ids = await store.ids();
      const all = await Promise.all(ids.map((id) => summaryOrChanged(store, id)));
      return all.toSorted((a, b) => (b.createdAt ?? "").localeCompare(a.createdAt ?? ""));
    },
    async show(id) {
      const plan = await store.load(id);
      const entries = await entriesOf(store, plan);
      return { ...(await summarize(store, plan, entries)), plan, text: describePlan(plan), entries };
    },
    async commit(id, digest, options) {
      if ((await store.load(id)).digest !== digest)
        throw new MCIClientError("plan_changed", `The plan '${id}' is not the one that was shown.`);
      return commitPlan(client, store, id, options);
    },
    discard: (id) => store.discard(id),
  };
}

async function summaryOrChanged(store: PlanStore, id: string): Promise<PlanSummary> {
  try {
    const plan = await store.load(id);
    return await summarize(store, plan, await entriesOf(store, plan));
  } catch (error) {
    if (!(error instanceof MCIClientError)) throw error;
    return { id, state: "changed", writes: {}, done: 0 };
  }
}

async function summarize(
  store: PlanStore,
  plan: Plan,
  entries: readonly CommittedEntry[],
): Promise<PlanSummary> {
  const { id, createdAt } = plan;
  const writes: Record<string, number> = Object.create(null);
  for (const { tool } of plan.entries) writes[tool] = (writes[tool] ?? 0) + 1;
  const done = entries.filter(({ state }) => state === "done").length;
  const isBegun = entries.some(({ state }) => state !== "not_started");
  const state = (await store.isBusy(id))
    ? "committing"
    : done === entries.length
      ? "committed"
      : isBegun
        ? "incomplete"
        : "waiting";
  return { id, state, createdAt, writes, done };
}

async function entriesOf(store: PlanStore, plan: Plan): Promise<CommittedEntry[]> {
  const states = await store.states(plan.id);
  return plan.entries.map(({ number, tool }) => {
    const { state = "not_started", text } = states.get(number) ?? {};
    // What was begun and has no end may or may not have taken effect.
    return {
      number,
      tool,
      state: state === "started" ? "unknown" : state,
      ...(text === undefined ? {} : { text }),
    };
  });
}
