import type { Methods } from "../methods/methods.ts";
import type { Question } from "../questions/questions.ts";
import type { Result } from "./results-file.ts";

/** What the service calibrates its confidence with (`MCI_OUTCOMES`): one line for each run whose leader is known to be right or wrong, decided or not: a confidence is about the leader. */
export function outcomesOf(
  results: readonly Result[],
  questions: readonly Question[],
  methods: Methods,
): string {
  const byId = new Map(questions.map((question) => [question.id, question]));
  return results
    .flatMap(({ question, method, model, basis, votes, right_votes, leader_right, error }) => {
      const request = methods.get(method)?.request;
      const counts = Object.values(votes);
      if (request === undefined || error !== undefined || counts.length === 0 || leader_right === null)
        return [];
      const line = {
        // As the engine itself names it, so that the service finds it again.
        model: basis?.model ?? model,
        strategy: basis?.strategy ?? (request.intent === "decision" ? "council" : "vote"),
        kind: basis?.kind ?? byId.get(question)?.kind ?? "text",
        leader_votes: Math.max(...counts),
        votes: counts.reduce((sum, one) => sum + one, 0),
        right_votes,
        right: leader_right,
      };
      return [`${JSON.stringify(line)}\n`];
    })
    .join("");
}
