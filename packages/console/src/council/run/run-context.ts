import type { RunCall } from "@mci-ts/council-server/api";
import { createContext, useContext } from "react";

/** What the parts of a run need to know besides its events. */
export interface RunContextValue {
  /** Which of several runs on the page this is, "first run"; empty where there is only one. */
  readonly name: string;
  /** `config.answer_schema` of the request: answers are objects then. */
  readonly answerSchema?: Readonly<Record<string, unknown>>;
  /** Where a model call is read from: the service, or the file that the run came in. */
  readonly loadCall: (call: number) => Promise<RunCall>;
}

export const RunContext = createContext<RunContextValue>({
  name: "",
  loadCall: () => Promise.reject(new Error("There is no record of this call.")),
});

/** Names the parts of a run, so that those of two runs have different names. */
export function useLabel(): (part: string) => string {
  const { name } = useContext(RunContext);
  return (part) => (name === "" ? part : `${part}, ${name}`);
}

export function useAnswerSchema(): RunContextValue["answerSchema"] {
  return useContext(RunContext).answerSchema;
}

export function useCallLoader(): RunContextValue["loadCall"] {
  return useContext(RunContext).loadCall;
}
