import type { RunEvent } from "../../api/event-schemas.ts";

/** An event as one line of text for progress displays; undefined for events that are not shown. */
export function describeEvent(event: RunEvent): string | undefined {
  return (DESCRIPTIONS[event.type] as ((event: RunEvent) => string) | undefined)?.(event);
}

type Descriptions = {
  readonly [Type in RunEvent["type"]]?: (event: Extract<RunEvent, { type: Type }>) => string;
};

const DESCRIPTIONS: Descriptions = {
  "run.routed": ({ tool, rule }) => `Chose ${tool} (${rule})`,
  "vote.started": ({ k }) => `Voting: first to be ahead by ${k}`,
  "vote.counted": ({ answer, leader, leader_votes, runner_up_votes }) =>
    `Vote for ${quote(answer)}; ${quote(leader)} leads ${leader_votes} to ${runner_up_votes}`,
  "vote.decided": ({ winner, votes }) => `Decided: ${quote(winner)} with ${votes} votes`,
  "vote.undecided": ({ reason }) => `Undecided (${reason})`,
  "vote.escalated": ({ to }) => `Trying again: ${to}`,
  "sample.flagged": ({ rule }) => `Discarded a reply (${rule})`,
  "call.retried": ({ attempt }) => `Retrying a call that failed (attempt ${attempt})`,
  "seat.proposed": ({ seat }) => `Seat ${seat} has a proposal`,
  "seat.ranked": ({ seat }) => `Seat ${seat} has ranked the others`,
  "seat.failed": ({ seat }) => `Seat ${seat} failed`,
  "tool.started": ({ tool }) => `Calling ${tool}`,
  "tool.finished": ({ tool, is_error }) => `${tool} ${is_error ? "failed" : "returned"}`,
  "ranking.counted": ({ agrees_with_judge }) =>
    `The seats rank the proposals${agrees_with_judge === false ? "; the judge decides otherwise" : ""}`,
  "judge.started": ({ proposals }) => `Judging ${proposals} proposals`,
  "judge.decided": () => "The judge has decided",
  "judge.failed": ({ model }) => `Judge ${model} failed`,
  "decomposition.accepted": ({ total_steps }) => `Found ${total_steps} steps`,
};

function quote(text: string): string {
  return text.length > 80 ? `"${text.slice(0, 80)}…"` : `"${text}"`;
}
