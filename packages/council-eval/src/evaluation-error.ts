/** Arguments or questions that the user can correct: each problem is printed, without a stack. */
export class EvaluationError extends Error {
  override readonly name = "EvaluationError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Cannot evaluate:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}
