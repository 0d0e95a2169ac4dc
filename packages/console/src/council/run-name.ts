import { createContext, useContext } from "react";

/** Which of several runs on the page this is, "first run"; empty where there is only one. */
export const RunName = createContext("");

/** Names the parts of a run, so that those of two runs have different names. */
export function useLabel(): (part: string) => string {
  const name = useContext(RunName);
  return (part) => (name === "" ? part : `${part}, ${name}`);
}
