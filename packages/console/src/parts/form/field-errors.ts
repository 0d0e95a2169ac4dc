import { createContext } from "react";
import type { InputErrors } from "./check-input.ts";

/** What the fields of a form share. */
export interface FieldErrors {
  /** What is wrong with which field. */
  readonly errors: InputErrors;
  /** A field whose text is not JSON says so, and when it is JSON again or gone. */
  readonly setNotJson: (id: string, isNotJson: boolean) => void;
  /** Which of several shapes was chosen for the value at this path; `undefined` if none is. */
  readonly setChosen: (path: string, shape: number | undefined) => void;
}

export const FieldErrorsContext = createContext<FieldErrors>({
  errors: new Map(),
  setNotJson: () => {},
  setChosen: () => {},
});
