import type { Envelope } from "../http/api-schemas.ts";

/** An event as one line of text for progress displays; undefined for events that are not shown. */
export function describeEvent(event: Envelope): string | undefined {
  return DESCRIPTIONS[event.type]?.(event as Fields);
}

type Fields = Envelope & Readonly<Record<string, string & number & boolean>>;

const DESCRIPTIONS: Readonly<Record<string, (event: Fields) => string>> = {
  "run.routed": (e) => `Chose ${e["tool"]} (${e["rule"]})`,
  "vote.started": (e) => `Voting: first to be ahead by ${e["k"]}`,
  "vote.counted": (e) =>
    `Vote for ${quote(e["answer"]!)}; ${quote(e["leader"]!)} leads ${e["leader_votes"]} to ${e["runner_up_votes"]}`,
  "vote.decided": (e) => `Decided: ${quote(e["winner"]!)} with ${e["votes"]} votes`,
  "vote.undecided": (e) => `Undecided (${e["reason"]})`,
  "vote.escalated": (e) => `Trying again: ${e["to"]}`,
  "sample.flagged": (e) => `Discarded a reply (${e["rule"]})`,
  "call.retried": (e) => `Retrying a call that failed (attempt ${e["attempt"]})`,
  "seat.proposed": (e) => `Seat ${e["seat"]} has a proposal`,
  "seat.ranked": (e) => `Seat ${e["seat"]} has ranked the others`,
  "seat.failed": (e) => `Seat ${e["seat"]} failed`,
  "tool.started": (e) => `Calling ${e["tool"]}`,
  "tool.finished": (e) => `${e["tool"]} ${e["is_error"] ? "failed" : "returned"}`,
  "ranking.counted": (e) =>
    `The seats rank the proposals${e["agrees_with_judge"] === (false as never) ? "; the judge decides otherwise" : ""}`,
  "judge.started": (e) => `Judging ${e["proposals"]} proposals`,
  "judge.decided": () => "The judge has decided",
  "judge.failed": (e) => `Judge ${e["model"]} failed`,
  "decomposition.accepted": (e) => `Found ${e["total_steps"]} steps`,
};

function quote(text: string): string {
  return text.length > 80 ? `"${text.slice(0, 80)}…"` : `"${text}"`;
}
