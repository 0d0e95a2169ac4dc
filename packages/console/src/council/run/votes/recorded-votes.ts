import type { RecordedVote } from "@mci-ts/council/what-if";
import type { RunState } from "../run-state.ts";

export interface RunVotes {
  readonly votes: readonly RecordedVote[];
  /** The k of the run; of a council without a vote 1. */
  readonly k: number;
  readonly winner: string | undefined;
  readonly isSimulated: boolean;
  /** What all calls cost that had ended when this one did; null: unknown. */
  readonly costUpTo: (call: number | undefined) => number | null;
}

/** The votes of a run in the order in which they were counted; of a council the answers of its seats. */
export function recordedVotes(run: RunState): RunVotes {
  const calls = [...run.calls.values()];
  const cost = (call: number | undefined): number | null => {
    const until = call === undefined ? -1 : (run.calls.get(call)?.endedAt ?? -1);
    const ended = calls.filter(({ endedAt, state }) => state === "finished" && endedAt! <= until);
    return ended.some(({ costUsd }) => costUsd == null)
      ? null
      : ended.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  };
  const shared = { costUpTo: cost, isSimulated: calls.some(({ model }) => model === "simulated") };
  if (run.race) return { ...shared, ...votesOfRace(run, run.race) };
  return { ...shared, ...votesOfSeats(run) };
}

function votesOfRace(run: RunState, race: NonNullable<RunState["race"]>) {
  const votes = race.order.map(({ call, answer }) => ({
    call,
    key: answer,
    model: run.calls.get(call)?.model ?? "unknown",
  }));
  // The event of a decision has the winner's most frequent wording; votes go by the first.
  const decided = race.winner === undefined ? undefined : (race.leader ?? race.winner);
  return { votes, k: race.k, winner: decided };
}

function votesOfSeats({ response }: RunState) {
  const { council, answer } = response?.metadata ?? {};
  const keys = new Map<string, string>();
  const votes = (council?.proposals ?? []).flatMap(({ seat, model, answer: own }) => {
    if (own === null || own === undefined) return [];
    const text = typeof own === "string" ? own : JSON.stringify(own);
    const key = keys.get(normal(text)) ?? text;
    keys.set(normal(text), key);
    return [{ call: seat, key, model, seat }];
  });
  const winner = typeof answer === "string" ? keys.get(normal(answer)) : undefined;
  return { votes, k: 1, winner };
}

/** Spellings of one answer, for groups of seats: the judge compares meanings, this only letters. */
export const normal = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/\s+/gu, " ")
    .replace(/(?<![ .!])[ .!]+$/u, "")
    .trim();
