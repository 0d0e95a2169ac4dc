import type { Methods } from "./methods.ts";
import type { Question } from "./questions.ts";
import type { Result } from "./results-file.ts";

/** What the service calibrates its confidence with (`MCI_OUTCOMES`): one line for each decided run whose answer is known to be right or wrong. */
export function outcomesOf(
  results: readonly Result[],
  questions: readonly Question[],
  methods: Methods,
): string {
  const byId = new Map(questions.map((question) => [question.id, question]));
  return results
    .flatMap(({ question, method, model, basis, votes, right_votes, correct, error }) => {
      const request = methods.get(method)?.request;
      const counts = Object.values(votes);
      if (request === undefined || error !== undefined || counts.length === 0) return [];
      const line = {
        // As the engine itself names it, so that the service finds it again.
        model: basis?.model ?? model,
        strategy: basis?.strategy ?? (request.intent === "decision" ? "council" : "vote"),
        kind: basis?.kind ?? byId.get(question)?.kind ?? "text",
        leader_votes: Math.max(...counts),
        votes: counts.reduce((sum, one) => sum + one, 0),
        right_votes,
        right: correct,
      };
      return [`${JSON.stringify(line)}\n`];
    })
    .join("");
}
