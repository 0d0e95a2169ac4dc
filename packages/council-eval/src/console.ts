/** What the console's screen of evaluations shares with the command: pure functions, for a browser too. */
export { type Expectation, isAccepted } from "./accepted.ts";
export type { QuestionLine } from "./questions.ts";
export type { Result } from "./results-file.ts";
export { isSatisfied, rubricRequest } from "./rubric-request.ts";
export { holm, mcnemar } from "./statistics.ts";
