/** What the console's screen of evaluations shares with the command: pure functions, for a browser too. */
export { type Expectation, isAccepted } from "./accepted.ts";
export { type Comparison, compareMethods } from "./comparisons.ts";
export { describeEstimate, describeTime, type Estimate, estimate } from "./estimate.ts";
export { type Figures, figuresOf } from "./figures.ts";
export { type Method, methodOf } from "./methods.ts";
export type { Question, QuestionLine } from "./questions.ts";
export type { Result, Verdict } from "./results-file.ts";
export { isSatisfied, rubricRequest } from "./rubric-request.ts";
