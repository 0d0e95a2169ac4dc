import { type Canonical, canonical } from "../canonical/canonical.ts";
import { contrasts, type Fixed, fixedIn } from "../canonical/contrast.ts";
import type { Cluster } from "../result.ts";

/** Sorts answers into clusters that mean the same; a cluster's first answer is its key in the tally. */
export interface AnswerClusters {
  /**
   * The cluster this answer belongs to, made if need be. One answer is sorted at a time, in order of arrival.
   * `picked`: it is one of the choices given, which differ from each other whatever they look like. `key`: of an object, equal
   * for those that are one vote.
   */
  place(answer: string, hints?: { readonly picked?: boolean; readonly key?: string }): Promise<string>;
}

/** Asks whether two free texts mean the same. Must not reject: if unsure, resolve to false. */
export type Compare = (a: string, b: string) => Promise<boolean>;

interface OpenCluster {
  readonly key: string;
  /** In its key; read when the first answer is compared with it, which may be long. */
  fixed?: Fixed;
  readonly forms: Map<string, Canonical>;
  /** How often each wording came. */
  readonly members: Map<string, number>;
}

/** Comparing with more clusters than this costs more than the vote is worth. */
const MAX_COMPARISONS = 5;
/** Where so many comparisons found nothing in common, the next will not either. */
const MAX_DIFFERING_IN_A_ROW = 6;

/** `question`: what is answered. Default: unknown, each answer stands for itself. */
export function createClusters(compare: Compare, question?: string): AnswerClusters {
  const clusters: OpenCluster[] = [];
  let differing = 0;
  let queue: Promise<unknown> = Promise.resolve();
  return {
    place(answer, { picked = false, key } = {}) {
      const placed = queue.then(() =>
        key === undefined ? place(answer.trim(), picked) : placeObject(answer, { kind: "json", key }),
      );
      queue = placed;
      return placed;
    },
  };

  async function place(answer: string, picked: boolean): Promise<string> {
    const cluster =
      clusters.find(({ key, members }) => (picked ? key === answer : members.has(answer))) ??
      (await placeNew(answer, picked));
    cluster.members.set(answer, (cluster.members.get(answer) ?? 0) + 1);
    return cluster.key;
  }

  function placeObject(answer: string, form: Canonical): string {
    const cluster = clusters.find(({ forms }) => forms.has(form.key)) ?? newCluster(answer);
    cluster.forms.set(form.key, form);
    return cluster.key;
  }

  /** The cluster of an answer that was not given in these words before. */
  async function placeNew(answer: string, picked: boolean): Promise<OpenCluster> {
    const form = canonical(answer, question);
    const found = picked
      ? undefined
      : (clusters.find(({ forms }) => forms.has(form.key)) ?? (await sameInMeaning(answer, form)));
    const cluster = found ?? newCluster(answer);
    cluster.forms.set(form.key, form);
    return cluster;
  }

  async function sameInMeaning(answer: string, form: Canonical) {
    const open = clusters.filter(({ forms }) => [...forms.values()].some((other) => isOpen(form, other)));
    if (open.length === 0) return undefined;
    const fixed = fixedIn(answer);
    const likely = open
      .filter((cluster) => {
        cluster.fixed ??= fixedIn(cluster.key);
        return !contrasts(fixed, cluster.fixed);
      })
      .toSorted((a, b) => size(b.members) - size(a.members))
      .slice(0, MAX_COMPARISONS);
    for (const cluster of likely) {
      if (differing >= MAX_DIFFERING_IN_A_ROW) break;
      if (await compare(cluster.key, answer)) {
        differing = 0;
        return cluster;
      }
      differing++;
    }
    return undefined;
  }

  function newCluster(answer: string) {
    const cluster = { key: answer, forms: new Map(), members: new Map() };
    clusters.push(cluster);
    return cluster;
  }
}

/** Two numbers, dates, objects or pieces of code that differ are different; only words can be reworded. */
const isOpen = (a: Canonical, b: Canonical) => a.kind === "text" || b.kind === "text";

const size = (members: ReadonlyMap<string, number>) =>
  members.values().reduce((sum, count) => sum + count, 0);

/** Counted votes by cluster, with the wordings they came in; most votes first. */
export function countClusters(
  votes: readonly { readonly key: string; readonly answer: string }[],
): readonly (Cluster & { readonly key: string })[] {
  return [...Map.groupBy(votes, ({ key }) => key)]
    .map(([key, inCluster]) => {
      const wordings = Map.groupBy(inCluster, ({ answer }) => answer);
      const members = [...wordings].map(([text, { length: count }]) => ({ text, count }));
      const answer = members.reduce((most, member) => (member.count > most.count ? member : most)).text;
      return { key, answer, votes: inCluster.length, members };
    })
    .toSorted((a, b) => b.votes - a.votes);
}
