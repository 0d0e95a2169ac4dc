import { canonical, type Outcome, outcomeBasisSchema } from "@mci-ts/council";
import { z } from "zod";
import { ServiceError } from "../../service-error.ts";
import { readHistory } from "../../store/read-history.ts";
import type { StoredRun } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";

/** What a person says about the answer of a run. */
export const Verdict = z
  .strictObject({
    right: z.boolean().describe("Whether the answer of the run is right."),
    answer: z
      .string()
      .min(1)
      .max(2000)
      .optional()
      .describe("The right answer, where the run's is wrong: tells how many votes were right."),
    by: z
      .enum(["person", "check"])
      .optional()
      .describe("Who says so: a person, or a check of a program. Default person."),
  })
  .meta({ id: "Verdict" });
export type Verdict = z.output<typeof Verdict>;

const Counted = z.looseObject({
  metadata: z.looseObject({
    voting: z.looseObject({
      basis: outcomeBasisSchema,
      confidence: z.number().optional(),
      clusters: z.array(z.looseObject({ answer: z.string(), votes: z.int() })).min(1),
    }),
    usage: z.looseObject({ cost_usd: z.number().nullable() }).optional(),
  }),
});

/** The outcome that a verdict makes of a run; an error where the run has no votes that it could be about. */
export function outcomeOf(
  { id, prompt, response }: StoredRun,
  { right, answer, by = "person" }: Verdict,
): Outcome {
  const counted = Counted.safeParse(response);
  if (!counted.success)
    throw new ServiceError(
      "invalid_request",
      `Run "${id}" has no votes of a model that a verdict could be about: it is still running, failed, was simulated or took no vote`,
    );
  const { voting, usage } = counted.data.metadata;
  const { basis, clusters, confidence } = voting;
  const { model, strategy, kind } = outcomeBasisSchema.parse(basis);
  const [leader] = clusters;
  const key = answer === undefined ? undefined : canonical(answer, prompt).key;
  const matching = clusters.find((cluster) => canonical(cluster.answer, prompt).key === key);
  const right_votes = right ? leader!.votes : answer === undefined ? null : (matching?.votes ?? 0);
  const votes = clusters.reduce((sum, cluster) => sum + cluster.votes, 0);
  return {
    ...{ model, strategy, kind, leader_votes: leader!.votes, votes, right_votes, right, by },
    ...(confidence === undefined ? {} : { confidence }),
    cost_usd: usage?.cost_usd ?? null,
  };
}

/** The last verdict on a run; null: there is none. */
export async function readVerdict(
  store: Store,
  id: string,
): Promise<{ right: boolean; by: "person" | "check" } | null> {
  const found = await readHistory(store.measurement("outcome", id));
  if (!found) return null;
  const { right, by = "person" } = JSON.parse(found.data) as Outcome;
  return { right, by };
}
