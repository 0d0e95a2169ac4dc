import type { Run } from "../run.ts";
import { SIMULATED_MODEL } from "../simulated/request.ts";
import { chanceOfMajority } from "./statistics.ts";

/** How sure the leader's majority is. Nothing where votes were simulated: they are all drawn by the same lot. */
export function confidenceOf(
  { client }: Run,
  leaderVotes: number,
  votes: number,
): { readonly confidence?: number } {
  if (client.respondingModels.has(SIMULATED_MODEL)) return {};
  return { confidence: chanceOfMajority(leaderVotes, votes) };
}
