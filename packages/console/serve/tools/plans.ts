import type { Plans } from "mci-ts/code";
import { ApiFailure } from "./failure.ts";
import type { ToolsSource } from "./source.ts";
import type { PlanResponse } from "./types.ts";

/** The newest first, each with its state. */
export async function listPlans(source: ToolsSource): Promise<Response> {
  return withPlans(source, async (plans) => ({ plans: await plans.list() }));
}

/** Every request of a plan, and what became of it. */
export async function showPlan(source: ToolsSource, _: unknown, id: string): Promise<Response> {
  return withPlans(source, async (plans): Promise<PlanResponse> => {
    const detail = await plans.show(id);
    const isDestructive = (name: string) =>
      source
        .client()
        .tools()
        .find((tool) => tool.name === name)?.annotations?.destructiveHint === true;
    return { ...detail, destructive: Object.keys(detail.writes).filter(isDestructive) };
  });
}

/**
 * Executes the plan with the digest that was shown. A page that is closed does not end it: half of a plan is worse than all of it, and
 * its journal says where it is.
 */
export async function commitPlan(
  source: ToolsSource,
  { body }: { readonly body?: unknown },
  id: string,
): Promise<Response> {
  const { digest, resolve = {} } = (body ?? {}) as { digest?: unknown; resolve?: unknown };
  if (typeof digest !== "string")
    throw new ApiFailure(400, "invalid_request", "Send { digest }, the digest of the plan that was shown.");
  return withPlans(source, (plans) => plans.commit(id, digest, { resolve: decisionsOf(resolve) }));
}

/** Removes a plan of which nothing was begun. */
export async function discardPlan(source: ToolsSource, _: unknown, id: string): Promise<Response> {
  return withPlans(source, async (plans) => {
    await plans.show(id);
    await plans.discard(id);
    return { discarded: id };
  });
}

/** What a person decided about writes of unknown outcome, by number. */
function decisionsOf(resolve: unknown): Record<number, "done" | "repeat"> {
  const entries = typeof resolve === "object" && resolve !== null ? Object.entries(resolve) : [];
  if (
    entries.every(
      ([number, decision]) => /^\d{1,6}$/.test(number) && /^(done|repeat)$/.test(String(decision)),
    )
  )
    return Object.fromEntries(entries) as Record<number, "done" | "repeat">;
  throw new ApiFailure(400, "invalid_request", 'resolve must be { "NUMBER": "done" or "repeat" }.');
}

async function withPlans(source: ToolsSource, use: (plans: Plans) => unknown): Promise<Response> {
  if (source.plans === undefined) throw new ApiFailure(404, "not_found", "There are no plans here.");
  try {
    const value = await source.plans(use);
    return Response.json(value, { headers: { "cache-control": "no-store" } });
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    if (typeof code !== "string" || !code.startsWith("plan_")) throw error;
    throw new ApiFailure(code === "plan_not_found" ? 404 : 409, code, message);
  }
}
