import { CouncilError } from "../errors.ts";
import type { ModelReply } from "../model.ts";
import type { ActionSummary, CouncilMetadata } from "../result.ts";
import type { Run } from "../run.ts";
import { withoutReasoning } from "../sampling/read-reply.ts";
import { judge } from "../strategies/judge.ts";
import { sameMeaning } from "../voting/equivalence.ts";
import type { HeldVote, Vote } from "../voting/hold-vote.ts";
import { standing } from "../voting/tally.ts";
import type { ActConfig } from "./act-config.ts";
import type { Action } from "./check-action.ts";
import { type ActRules, whenUndecided } from "./rules.ts";
import { closestToAll } from "./similarity.ts";
import { type ActionStep, labelOf, type Sampled } from "./step.ts";

/** How a step ended. */
export interface Decision {
  readonly how: ActionSummary["decided"];
  readonly label: string;
  readonly calls: Action["calls"];
  readonly isReadOnly: boolean;
  readonly status: CouncilMetadata["status"];
  readonly agreement: number | null;
  readonly reply?: ModelReply;
  readonly text?: string;
  readonly voting?: CouncilMetadata["voting"];
}

/** A vote that was decided; one that words alone divide; or one that stays undecided. */
export async function settle(step: ActionStep, held: HeldVote<Sampled>): Promise<Decision> {
  const { run, rules } = step;
  const scattered = held.winner === null ? agreeingButForWords(held, rules) : undefined;
  const sameMeaning = scattered && (await sameInMeaning(step, held, scattered));
  const votes = sameMeaning ?? scattered ?? held.elected;
  if (votes.length === 0) return leaveUndecided(step, held);
  const { calls } = votes[0]!.value.action;
  const { index, agreement } = closestToAll(votes.map(({ value }) => value.ballot.texts));
  const hasWords = scattered !== undefined || hasFreeText(votes, rules);
  const isClose = agreement >= (rules.config.threshold ?? DEFAULT_THRESHOLD);
  if (hasWords && !isClose && !sameMeaning && !rules.isReadOnly(calls)) return leaveUndecided(step, held);
  const samples = votes.map(({ value }) => value);
  const text = calls.length === 0 ? await finalReply(run, rules.config, samples) : undefined;
  return {
    ...decided(
      step,
      calls.length > 0 ? votes[index]! : first(votes),
      scattered ? "similarity" : "vote",
      held,
      "complete",
    ),
    agreement: hasWords ? agreement : null,
    ...(text === undefined ? {} : { text }),
  };
}

const hasFreeText = (votes: readonly Vote<Sampled>[], { config }: ActRules) =>
  config.free !== undefined && votes.some(({ value }) => value.ballot.texts.length > 0);

const DEFAULT_THRESHOLD = 0.5;

/** The samples that differ in nothing but free text and are ahead of the others by as much as their action needs. */
function agreeingButForWords(held: HeldVote<Sampled>, rules: ActRules): readonly Vote<Sampled>[] | undefined {
  const groups = Map.groupBy(held.counted, ({ value }) => value.ballot.skeleton);
  const counts = new Map([...groups].map(([skeleton, votes]) => [skeleton, votes.length]));
  const [k] = [...groups.values()]
    .toSorted((a, b) => b.length - a.length)
    .map(([vote]) => rules.kOf(vote!.value.action.calls));
  const { leader, need } = standing({ k: k!, counts });
  const votes = groups.get(leader!);
  return need === 0 && votes!.length > 1 ? votes : undefined;
}

/** Those of them that mean the same as the one with most votes, by the word of a model that passed its self-test, if they are enough. */
async function sameInMeaning(
  { run, rules }: ActionStep,
  held: HeldVote<Sampled>,
  scattered: readonly Vote<Sampled>[],
): Promise<readonly Vote<Sampled>[] | undefined> {
  const [leading, ...others] = [...Map.groupBy(scattered, ({ key }) => key).values()].toSorted(
    (a, b) => b.length - a.length,
  );
  const compare = sameMeaning(run, run.question);
  const same = [...leading!];
  for (const votes of others.slice(0, MAX_COMPARISONS)) {
    const [a, b] = [leading![0]!.answer, votes[0]!.answer];
    if (a.length + b.length <= MAX_COMPARED_CHARS && (await compare(a, b))) same.push(...votes);
  }
  const rest = held.counted.filter((vote) => !same.includes(vote));
  const runnerUp = Math.max(
    0,
    ...[...Map.groupBy(rest, ({ key }) => key).values()].map(({ length }) => length),
  );
  return same.length - runnerUp >= rules.kOf(leading![0]!.value.action.calls) ? same : undefined;
}

const MAX_COMPARISONS = 5;
const MAX_COMPARED_CHARS = 4000;

function leaveUndecided(step: ActionStep, held: HeldVote<Sampled>): Decision {
  const { run, rules } = step;
  const leading = held.counted.find(({ answer }) => answer === held.leader)!;
  const isReadOnly = rules.isReadOnly(leading.value.action.calls);
  const reason = held.undecided ?? "no_agreement";
  const status = run.budget.stopped === undefined ? "degraded" : "partial";
  run.notices.add(`The vote on the action did not converge (${reason}).`);
  switch (whenUndecided(rules, isReadOnly)) {
    case "leader":
      return decided(step, leading, "leader", held, status);
    case "error":
      throw new CouncilError("undecided", `The votes on the next action do not agree: ${considered(held)}`);
    default: {
      const text = askText(held);
      return {
        how: "ask",
        label: text,
        calls: [],
        isReadOnly: false,
        status,
        agreement: null,
        text,
        voting: held.summary,
      };
    }
  }
}

function decided(
  { rules }: ActionStep,
  { answer: label, value }: Vote<Sampled>,
  how: Decision["how"],
  { summary }: HeldVote<Sampled>,
  status: Decision["status"],
): Decision {
  const { calls } = value.action;
  return {
    how,
    label: labelOf(value.reply, calls.length > 0 ? label : undefined),
    calls,
    isReadOnly: rules.isReadOnly(calls),
    status,
    agreement: null,
    reply: value.reply,
    voting: summary,
  };
}

/** The first sample is the model's best guess: it has the lowest temperature. */
const first = (votes: readonly Vote<Sampled>[]) =>
  votes.reduce((earliest, vote) => (vote.value.index < earliest.value.index ? vote : earliest));

function askText({ summary, undecided }: HeldVote<Sampled>): string {
  const lines = summary.clusters
    .slice(0, MAX_CONSIDERED)
    .map(({ answer, votes }) => `- ${votes} of ${total(summary)}: ${answer}`);
  return [
    `I am not sure what to do next, so I have done nothing: the votes on the next action do not agree (${undecided ?? "too different"}).`,
    `Considered:\n${lines.join("\n")}`,
    "Tell me which of these to do, or say more about what you want.",
  ].join("\n\n");
}

const considered = ({ summary }: HeldVote<Sampled>) =>
  summary.clusters
    .slice(0, MAX_CONSIDERED)
    .map(({ answer, votes }) => `${answer} (${votes} of ${total(summary)})`)
    .join("; ");
const MAX_CONSIDERED = 5;
const total = ({ clusters }: HeldVote<Sampled>["summary"]) =>
  clusters.reduce((sum, { votes }) => sum + votes, 0);

/** The judge's words for a reply to the user, where the settings ask for them; undefined: those of the sample. */
async function finalReply(
  run: Run,
  { final }: ActConfig,
  samples: readonly {
    readonly action: { readonly object?: unknown };
    readonly reply: { readonly text: string };
  }[],
): Promise<string | undefined> {
  if (final !== "council" || samples.length < 2 || samples.some(({ action }) => action.object !== undefined))
    return undefined;
  const proposals = samples.map(({ reply }) => withoutReasoning(reply.text).trim());
  const judged = await judge(
    run,
    proposals,
    { choices: [] },
    { k: run.settings.k, answers: [], contested: true },
  );
  if ("verdict" in judged) return judged.verdict.decision;
  run.notices.add(`The reply is that of the first sample: ${judged.error}.`);
  return undefined;
}
