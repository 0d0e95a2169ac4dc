export { type EvalModels, runEval } from "./command.ts";
