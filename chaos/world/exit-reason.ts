/** Why an instance ended that no fault asked to end, by what it said. */
export type ExitReason = (typeof REASONS)[number]["reason"];

/** The reasons that an instance may have to stop. Whatever else ends one is a finding. */
const REASONS = [
  { reason: "declared dead by another instance", said: /was declared dead by another instance/ },
  { reason: "the database failed over", said: /the database failed over to another server/ },
  { reason: "the database was away for longer than a start waits", said: /Waited [\d.]+ seconds for it/ },
] as const;

/** The one that the output names. */
export function findReason(output: string): ExitReason | undefined {
  return REASONS.find(({ said }) => said.test(output))?.reason;
}

/**
 * undefined: it did not say. Only an end with code 1, or 2 of one that did not start, is one that it chose itself; one that crashed on its
 * way out did not, whatever it had said before.
 */
export function exitReason(
  end: string,
  said: ExitReason | undefined,
  lastOutput: string,
): ExitReason | undefined {
  if (CRASH.test(lastOutput)) return undefined;
  return said !== undefined && CODES[said].includes(end) ? said : undefined;
}

/** The database may fail over while an instance starts, too. */
const CODES: Readonly<Record<ExitReason, readonly string[]>> = {
  "declared dead by another instance": ["1"],
  "the database failed over": ["1", "2"],
  "the database was away for longer than a start waits": ["2"],
};

/** What Node.js writes below the stack of an error that nothing caught. */
const CRASH = /^Node\.js v\d+\.\d+\.\d+\s*$/m;
