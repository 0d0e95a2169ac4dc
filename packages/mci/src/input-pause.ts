import type { InputRequired } from "./mcp/input.ts";

/** Thrown where a request waits for input that `pauseOnInput` wants returned. Not a failure. */
export class InputPause extends Error {
  override readonly name = "InputPause";
  readonly inputRequired: InputRequired;

  constructor(inputRequired: InputRequired) {
    super("The server waits for input.");
    this.inputRequired = inputRequired;
  }
}
