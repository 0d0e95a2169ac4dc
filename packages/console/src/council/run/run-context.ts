import { createContext, useContext } from "react";

/** What the parts of a run need to know besides its events. */
export interface RunContextValue {
  /** Which of several runs on the page this is, "first run"; empty where there is only one. */
  readonly name: string;
  /** `config.answer_schema` of the request: answers are objects then. */
  readonly answerSchema?: Readonly<Record<string, unknown>>;
}

export const RunContext = createContext<RunContextValue>({ name: "" });

/** Names the parts of a run, so that those of two runs have different names. */
export function useLabel(): (part: string) => string {
  const { name } = useContext(RunContext);
  return (part) => (name === "" ? part : `${part}, ${name}`);
}

export function useAnswerSchema(): RunContextValue["answerSchema"] {
  return useContext(RunContext).answerSchema;
}
