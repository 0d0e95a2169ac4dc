import type { Purpose } from "./model.ts";

/** Every answer as it was written, with what became of it. */
export interface Transcript {
  note(entry: TranscriptEntry): void;
  print(): string;
}

export interface TranscriptEntry {
  readonly call: number;
  readonly purpose: Purpose;
  readonly model: string;
  /** E.g. `accepted`, or the red flag and its reason. */
  readonly outcome: string;
  readonly text: string;
}

export function newTranscript(): Transcript {
  const entries: TranscriptEntry[] = [];
  return {
    note: (entry) => void entries.push(entry),
    print: () =>
      entries
        .toSorted((a, b) => a.call - b.call)
        .map(
          ({ call, purpose, model, outcome, text }) => `[#${call} ${purpose} ${model}: ${outcome}]\n${text}`,
        )
        .join("\n\n"),
  };
}
