/** Why an instance ended that no fault asked to end, by what it said last. */
export type ExitReason = (typeof REASONS)[number]["reason"];

/** The reasons that an instance may have to stop. Whatever else ends one is a finding. */
const REASONS = [
  { reason: "declared dead by another instance", said: /was declared dead by another instance/ },
  { reason: "the database failed over", said: /the database failed over to another server/ },
  { reason: "the database was away for longer than a start waits", said: /Waited [\d.]+ seconds for it/ },
] as const;

/** undefined: it did not say. Only an end with code 1 is one that it chose itself. */
export function exitReason(end: string, output: string): ExitReason | undefined {
  if (end !== "1") return undefined;
  return REASONS.find(({ said }) => said.test(output))?.reason;
}
