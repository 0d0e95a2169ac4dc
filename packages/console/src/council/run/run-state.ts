import type { ErrorBody, ModelResponse, RunEvent } from "@mci-ts/council-server/api";

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
  /** null where it is unknown; absent until the call has ended. */
  readonly costUsd?: number | null;
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
  /** The votes as they were counted. */
  readonly order: readonly { readonly call: number; readonly answer: string }[];
  readonly leader: string | null;
  readonly leaderVotes: number;
  readonly runnerUpVotes: number;
  /** Votes the leader still needs, if all went its way. */
  readonly need: number;
  readonly winner?: string;
  readonly confidence?: number;
  readonly undecided?: string;
}

/** One call of a tool by a seat or voter. Equal calls are made once. */
interface ToolUse {
  readonly number: number;
  readonly tool: string;
  readonly input: string;
  readonly state: "running" | "succeeded" | "failed";
  readonly latencyMs?: number;
  /** The beginning of it. */
  readonly result?: string;
}

export interface RunState {
  readonly phase: "waiting" | "running" | "finished" | "failed";
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** When the last event came. */
  readonly at: number;
  readonly routing?: { readonly tool: string; readonly by: string; readonly rule: string };
  readonly calls: ReadonlyMap<number, Call>;
  readonly race?: Race;
  readonly seats: readonly { readonly seat: number; readonly call?: number; readonly error?: string }[];
  readonly tools: ReadonlyMap<number, ToolUse>;
  /** Who ranked how: the others' seats, the best first. */
  readonly rankings: readonly { readonly seat: number; readonly order: readonly number[] }[];
  readonly judge?: {
    readonly model: string;
    readonly state: "deciding" | "decided" | "failed";
    readonly redFlag?: boolean;
  };
  readonly comparisons: readonly { readonly a: string; readonly b: string; readonly same: boolean }[];
  readonly escalations: readonly string[];
  readonly stopped?: string;
  readonly response?: ModelResponse;
  readonly error?: ErrorBody["error"];
  readonly seq: number;
}

export const INITIAL: RunState = {
  phase: "waiting",
  at: 0,
  calls: new Map(),
  seats: [],
  tools: new Map(),
  rankings: [],
  comparisons: [],
  escalations: [],
  seq: 0,
};

/** Maps of a state that this batch of events may change in place. */
interface Draft {
  readonly calls: Map<number, Call>;
  readonly tools: Map<number, ToolUse>;
}

/**
 * The run after more events. Live and in replay the same events give the same picture. The maps are copied once for each
 * batch: two thousand events must not copy two thousand maps.
 */
export function applyEvents(state: RunState, events: readonly RunEvent[]): RunState {
  // A stream that was cut may repeat what was seen.
  const news = events.filter(({ seq }) => seq > state.seq);
  if (news.length === 0) return state;
  const draft: Draft = { calls: new Map(state.calls), tools: new Map(state.tools) };
  let next: RunState = { ...state, ...draft };
  for (const event of news) {
    const at = Date.parse(event.ts);
    next = { ...next, ...change(next, event, at, draft), at, seq: event.seq };
  }
  return next;
}

function change(state: RunState, event: RunEvent, at: number, draft: Draft): Partial<RunState> {
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
    case "call.started": {
      const { call, purpose, model } = event;
      draft.calls.set(call, {
        call,
        purpose,
        model,
        state: "in_flight",
        startedAt: at,
        attempts: 1,
        tokens: 0,
      });
      return {};
    }
    case "call.finished":
      return patchCall(draft, event.call, {
        state: "finished",
        endedAt: at,
        tokens: event.input_tokens + event.output_tokens,
        costUsd: event.cost_usd ?? null,
      });
    case "call.retried":
      return patchCall(draft, event.call, {
        state: "retrying",
        attempts: event.attempt + 1,
        error: event.error,
      });
    case "call.failed":
      return patchCall(draft, event.call, { state: "failed", endedAt: at, error: event.error });
    case "call.aborted":
      return patchCall(draft, event.call, { state: "aborted", endedAt: at });
    case "sample.accepted":
      return patchCall(draft, event.call, { answer: event.answer });
    case "sample.flagged":
      return patchCall(draft, event.call, { flag: { rule: event.rule, reason: event.reason } });
    case "vote.started":
      return { race: startRace(event.k, event.options) };
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
    case "answers.compared":
      return { comparisons: [...state.comparisons, { a: event.a, b: event.b, same: event.same }] };
    case "tool.started": {
      const { number, tool, input } = event;
      draft.tools.set(number, { number, tool, input, state: "running" });
      return {};
    }
    case "tool.finished": {
      const { number, tool, is_error, latency_ms, result } = event;
      const input = draft.tools.get(number)?.input ?? "";
      const outcome = is_error ? "failed" : "succeeded";
      draft.tools.set(number, { number, tool, input, state: outcome, latencyMs: latency_ms, result });
      return {};
    }
    case "seat.proposed":
      return { seats: [...state.seats, { seat: event.seat, call: event.call }] };
    case "seat.failed":
      return { seats: [...state.seats, { seat: event.seat, error: event.error }] };
    case "seat.ranked":
      return { rankings: [...state.rankings, { seat: event.seat, order: event.order }] };
    case "judge.started":
      return { judge: { model: event.model, state: "deciding" } };
    case "judge.decided":
      return { judge: { model: event.model, state: "decided", redFlag: event.red_flag } };
    case "judge.failed":
      return { judge: { model: event.model, state: "failed" } };
    default:
      // Events of a newer service: ignored, never fatal.
      return {};
  }
}

function startRace(k: number, options: readonly string[]): Race {
  // The options of a choice are lanes from the start, also those that get no vote.
  const lanes = options.map((answer) => ({ answer, calls: [] }));
  return { k, options, lanes, order: [], leader: null, leaderVotes: 0, runnerUpVotes: 0, need: k };
}

function countVote(race: Race, event: Extract<RunEvent, { type: "vote.counted" }>): Partial<Race> {
  const lane = race.lanes.find(({ answer }) => answer === event.answer);
  const lanes = lane
    ? race.lanes.map((each) => (each === lane ? { ...each, calls: [...each.calls, event.call] } : each))
    : [...race.lanes, { answer: event.answer, calls: [event.call] }];
  return {
    // Stable: of two lanes with as many votes the earlier one stays above.
    lanes: lanes.toSorted((a, b) => b.calls.length - a.calls.length),
    order: [...race.order, { call: event.call, answer: event.answer }],
    leader: event.leader,
    leaderVotes: event.leader_votes,
    runnerUpVotes: event.runner_up_votes,
    need: event.need,
  };
}

function patchCall({ calls }: Draft, call: number, patch: Partial<Call>): Partial<RunState> {
  const before = calls.get(call);
  if (before) calls.set(call, { ...before, ...patch });
  return {};
}
