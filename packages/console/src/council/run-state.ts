import type { CouncilEvent } from "@mci-ts/council";
import type { ErrorBody, ModelResponse } from "../api/types.ts";

/** What the service sends: the engine's events in envelopes, then the response. */
export type RunEvent =
  | (CouncilEvent & { readonly ts: string })
  | { readonly type: "run.response"; readonly seq: number; readonly ts: string; readonly body: ModelResponse }
  | { readonly type: "run.error"; readonly seq: number; readonly ts: string; readonly body: ErrorBody };

export interface Call {
  readonly call: number;
  readonly purpose: string;
  readonly model: string;
  readonly state: "in_flight" | "finished" | "retrying" | "failed" | "aborted";
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly answer?: string;
  readonly flag?: { readonly rule: string; readonly reason: string };
  readonly error?: string;
  readonly attempts: number;
  readonly tokens: number;
}

export interface Lane {
  readonly answer: string;
  /** The calls that voted for it, in order. */
  readonly calls: readonly number[];
}

export interface Race {
  readonly k: number;
  readonly options: readonly string[];
  readonly lanes: readonly Lane[];
  readonly leader: string | null;
  readonly leaderVotes: number;
  readonly runnerUpVotes: number;
  /** Votes the leader still needs, if all went its way. */
  readonly need: number;
  readonly winner?: string;
  readonly confidence?: number;
  readonly undecided?: string;
}

export interface RunState {
  readonly phase: "waiting" | "running" | "finished" | "failed";
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly routing?: { readonly tool: string; readonly by: string; readonly rule: string };
  readonly calls: ReadonlyMap<number, Call>;
  readonly race?: Race;
  readonly seats: readonly { readonly seat: number; readonly call?: number; readonly error?: string }[];
  readonly judge?: {
    readonly model: string;
    readonly state: "deciding" | "decided" | "failed";
    readonly redFlag?: boolean;
  };
  readonly comparisons: readonly { readonly a: string; readonly b: string; readonly same: boolean }[];
  readonly escalations: readonly string[];
  readonly extras: number;
  readonly stopped?: string;
  readonly steps?: number;
  readonly response?: ModelResponse;
  readonly error?: ErrorBody["error"];
  readonly seq: number;
}

export const INITIAL: RunState = {
  phase: "waiting",
  calls: new Map(),
  seats: [],
  comparisons: [],
  escalations: [],
  extras: 0,
  seq: 0,
};

/** The run after one more event. Pure: live and in replay the same events give the same picture. */
export function applyEvent(state: RunState, event: RunEvent): RunState {
  // A stream that was cut may repeat what was seen.
  if (event.seq <= state.seq) return state;
  const at = Date.parse(event.ts);
  return { ...state, ...change(state, event, at), seq: event.seq };
}

export function applyEvents(state: RunState, events: readonly RunEvent[]): RunState {
  return events.reduce(applyEvent, state);
}

function change(state: RunState, event: RunEvent, at: number): Partial<RunState> {
  switch (event.type) {
    case "run.started":
      return { phase: "running", startedAt: at };
    case "run.routed":
      return { routing: { tool: event.tool, by: event.by, rule: event.rule } };
    case "run.stopped":
      return { stopped: event.reason };
    case "run.finished":
    case "run.failed":
      return { endedAt: at };
    case "run.response":
      return { phase: "finished", endedAt: state.endedAt ?? at, response: event.body };
    case "run.error":
      return { phase: "failed", endedAt: state.endedAt ?? at, error: event.body.error };
    case "call.started":
      return {
        calls: withCall(state.calls, {
          call: event.call,
          purpose: event.purpose,
          model: event.model,
          state: "in_flight",
          startedAt: at,
          attempts: 1,
          tokens: 0,
        }),
      };
    case "call.finished":
      return patchCall(state, event.call, {
        state: "finished",
        endedAt: at,
        tokens: event.input_tokens + event.output_tokens,
      });
    case "call.retried":
      return patchCall(state, event.call, {
        state: "retrying",
        attempts: event.attempt + 1,
        error: event.error,
      });
    case "call.failed":
      return patchCall(state, event.call, { state: "failed", endedAt: at, error: event.error });
    case "call.aborted":
      return patchCall(state, event.call, { state: "aborted", endedAt: at });
    case "sample.accepted":
      return patchCall(state, event.call, { answer: event.answer });
    case "sample.flagged":
      return patchCall(state, event.call, { flag: { rule: event.rule, reason: event.reason } });
    case "vote.started":
      return {
        race: {
          k: event.k,
          options: event.options,
          // The options of a choice are lanes from the start, also those that get no vote.
          lanes: event.options.map((answer) => ({ answer, calls: [] })),
          leader: null,
          leaderVotes: 0,
          runnerUpVotes: 0,
          need: event.k,
        },
      };
    case "vote.counted":
      return state.race ? { race: { ...state.race, ...countVote(state.race, event) } } : {};
    case "vote.decided":
      return state.race
        ? { race: { ...state.race, winner: event.winner, confidence: event.confidence, need: 0 } }
        : {};
    case "vote.undecided":
      return state.race ? { race: { ...state.race, undecided: event.reason } } : {};
    case "vote.escalated":
      return { escalations: [...state.escalations, event.to] };
    case "vote.extra":
      return { extras: state.extras + 1 };
    case "answers.compared":
      return { comparisons: [...state.comparisons, { a: event.a, b: event.b, same: event.same }] };
    case "seat.proposed":
      return { seats: [...state.seats, { seat: event.seat, call: event.call }] };
    case "seat.failed":
      return { seats: [...state.seats, { seat: event.seat, error: event.error }] };
    case "judge.started":
      return { judge: { model: event.model, state: "deciding" } };
    case "judge.decided":
      return { judge: { model: event.model, state: "decided", redFlag: event.red_flag } };
    case "judge.failed":
      return { judge: { model: event.model, state: "failed" } };
    case "decomposition.accepted":
      return { steps: event.total_steps };
    default:
      // Events of a newer service: ignored, never fatal.
      return {};
  }
}

function countVote(race: Race, event: Extract<RunEvent, { type: "vote.counted" }>): Partial<Race> {
  const lane = race.lanes.find(({ answer }) => answer === event.answer);
  const lanes = lane
    ? race.lanes.map((each) => (each === lane ? { ...each, calls: [...each.calls, event.call] } : each))
    : [...race.lanes, { answer: event.answer, calls: [event.call] }];
  return {
    // Stable: of two lanes with as many votes the earlier one stays above.
    lanes: lanes.toSorted((a, b) => b.calls.length - a.calls.length),
    leader: event.leader,
    leaderVotes: event.leader_votes,
    runnerUpVotes: event.runner_up_votes,
    need: event.need,
  };
}

function patchCall(state: RunState, call: number, patch: Partial<Call>): Partial<RunState> {
  const known = state.calls.get(call);
  return known ? { calls: withCall(state.calls, { ...known, ...patch }) } : {};
}

function withCall(calls: ReadonlyMap<number, Call>, call: Call): ReadonlyMap<number, Call> {
  return new Map(calls).set(call.call, call);
}
