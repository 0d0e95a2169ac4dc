/** What the user can mend: printed without a stack, exit code 2. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}
