import type { Verdict } from "../prompts/answer-schemas.ts";
import type { PeerRanking, Undecided, VotingSummary } from "../result.ts";
import { MIN_OUTCOMES } from "../voting/calibration.ts";
import { names } from "./countable.ts";

/** A vote as markdown. Without a winner another heading stands in the winner's place. */
export function votingReport(vote: {
  winner: string | null;
  leader: string | null;
  rationale: string;
  summary: VotingSummary;
}): string {
  const { winner, leader, rationale, summary } = vote;
  const { k, clusters, samples, red_flagged, undecided } = summary;
  const leading =
    leader === null ? "" : `Leading with ${count(clusters[0]!.votes, "vote")}, not elected: ${leader}`;
  return sections(
    `# First-to-ahead-by-${k} Voting Result`,
    winner === null ? "## No Winning Answer" : "## Winning Answer",
    ...(winner === null
      ? [`The vote did not converge: ${WHY_UNDECIDED[undecided ?? "sample_cap"]}.`, leading]
      : [winner]),
    rationale,
    "## Votes",
    [
      "| Answer | Votes |",
      "| --- | ---: |",
      ...clusters.map(({ answer, votes }) => `| ${cell(answer)} | ${votes} |`),
    ].join("\n"),
    `${count(samples, "sample")}, ${red_flagged} red-flagged.${leader === null ? "" : ` ${trustSentence(summary)}`}`,
  );
}

/** Agreement is what votes show; only measured outcomes tell how often it is right. */
function trustSentence({
  clusters,
  confidence,
  confidence_interval,
  effective_votes,
  basis,
}: VotingSummary): string {
  const votes = clusters.reduce((sum, cluster) => sum + cluster.votes, 0);
  const agreement = `Agreement: ${clusters[0]!.votes} of ${count(votes, "vote")}.`;
  if (basis === undefined) return agreement;
  if (confidence === undefined)
    return `${agreement} How often such agreement is right has not been measured for this model${basis.outcomes === 0 ? "" : ` (${basis.outcomes} of ${MIN_OUTCOMES} outcomes)`}.`;
  const [low, high] = (confidence_interval ?? [0, 1]).map(percent) as [number, number];
  return `${agreement} Confidence of being right: ${percent(confidence)} % (${low} to ${high} %, from ${count(basis.outcomes, "outcome")}${basis.all_kinds ? " with all kinds of answers" : ""}); the votes are worth ${effective_votes?.toFixed(1)} independent ones.`;
}

const percent = (share: number) => Math.round(100 * share);

const WHY_UNDECIDED: Readonly<Record<Undecided, string>> = {
  sample_cap: "no answer was far enough ahead at the limit on samples",
  unlikely_majority: "the answers scatter so widely that a majority for any of them is unlikely",
  no_agreement:
    "no two answers agree, so this is an open question; ask the council (intent decision), or narrow the question",
  no_valid_votes: "no reply was a valid vote",
  budget: "the budget or the deadline was reached first",
  transport: "the model could not be reached any more",
};

export interface CouncilReport {
  /** Undefined when no judge could be had. */
  readonly verdict: Verdict | undefined;
  readonly redFlag: boolean;
  /** The answer that the judge chose among those of the seats, if it had to. */
  readonly chosen: string | undefined;
  /** Why there is none. */
  readonly judgeError: string;
  /** The best-supported proposal, shown in the verdict's place. */
  readonly supported: string;
  /** Seats asked. */
  readonly seats: number;
  readonly voting: VotingSummary;
  /** Absent where the seats did not rank each other. */
  readonly ranking?: PeerRanking;
  /** The seats' answers. */
  readonly answers: ReadonlyMap<number, string>;
}

export function councilReport(report: CouncilReport): string {
  const { verdict, redFlag, chosen, judgeError, supported, seats, voting, ranking, answers } = report;
  const { clusters, converged, k } = voting;
  const [first, ...others] = clusters;
  const proposals = clusters.reduce((sum, { votes }) => sum + votes, 0);
  const dissent =
    verdict?.dissent ?? others.map(({ answer, votes }) => `${answer} (${count(votes, "seat")})`);
  const label = `> There is no verdict: ${judgeError}. This is the best-supported proposal as it was written (${first!.votes} of ${count(proposals, "proposal")}).`;
  const positions = clusters.map(({ answer, votes }) => `${line(answer)} (${votes})`).join(", ");
  return sections(
    "# MAKER-Council Report",
    "## Judge's Final Decision",
    ...(verdict ? decisionOf(verdict, redFlag, chosen) : [label, supported]),
    ...list("## Consensus", verdict?.consensus),
    ...list("## Contradictions", verdict?.contradictions),
    ...list("## Gaps", verdict?.gaps),
    "## Dissent",
    dissent.length > 0 ? items(dissent) : "None.",
    ...(ranking ? rankingSection(ranking, answers) : []),
    "## Council",
    `${proposals} of ${count(seats, "seat")} returned a proposal. Answers: ${positions}. The first leads by ${
      first!.votes - (others[0]?.votes ?? 0)
    }; at k = ${k} that is ${converged ? "agreement" : "no agreement"}. ${trustSentence(voting)}`,
  );
}

/** The text as the judge wrote it, under what it must not leave unsaid: that it is a red flag, and the answer it stands for. */
function decisionOf({ decision }: Verdict, redFlag: boolean, chosen: string | undefined): readonly string[] {
  if (redFlag) return [/red flag/i.test(decision) ? decision : `RED FLAG: ${decision}`];
  if (chosen === undefined || names(decision, chosen)) return [decision];
  return [`**${line(chosen)}**`, decision];
}

function rankingSection(
  { scores, agrees_with_judge }: PeerRanking,
  answers: ReadonlyMap<number, string>,
): readonly string[] {
  const rows = scores.map(
    ({ seat, points, share }) =>
      `| ${seat} | ${cell(answers.get(seat) ?? "")} | ${points} (${Math.round(100 * share)} %) |`,
  );
  return [
    "## Peer Ranking",
    ["| Seat | Answer | Points |", "| ---: | --- | ---: |", ...rows].join("\n"),
    agrees_with_judge === null
      ? ""
      : agrees_with_judge
        ? "The judge decided for the answer that the seats rank first."
        : "The judge decided against the answer that the seats rank first.",
  ];
}

const list = (heading: string, all: readonly string[] = []) => (all.length > 0 ? [heading, items(all)] : []);
const items = (all: readonly string[]) => all.map((item) => `- ${line(item)}`).join("\n");
const sections = (...parts: readonly string[]) => parts.filter((part) => part.trim() !== "").join("\n\n");
const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? "" : "s"}`;
const line = (text: string) => text.replace(/\s+/g, " ").trim();
const cell = (text: string) => line(text).replaceAll("|", "\\|").slice(0, 200);
