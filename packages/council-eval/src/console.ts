/** What the console's screen of evaluations shares with the command: pure functions, for a browser too. */
export { type Expectation, isAccepted } from "./judging/accepted.ts";
export { isSatisfied, rubricRequest } from "./judging/rubric-request.ts";
export { type Method, methodOf } from "./methods/methods.ts";
export type { Question, QuestionLine } from "./questions/questions.ts";
export { describeEstimate, describeTime, type Estimate, estimate } from "./run/estimate.ts";
export type { Result, Verdict } from "./run/results-file.ts";
export { type Comparison, compareMethods } from "./statistics/comparisons.ts";
export { type Figures, figuresOf } from "./statistics/figures.ts";
