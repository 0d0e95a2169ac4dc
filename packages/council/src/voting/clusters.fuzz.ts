import fc from "fast-check";
import { anyCharacter } from "../../../../test/any-character.ts";
import { Cases } from "../../../../test/cases.ts";
import { canonical } from "../canonical/canonical.ts";
import { countClusters, createClusters } from "./clusters.ts";
import { countVote, newTally, standing } from "./tally.ts";

/** Names, paths, escapes: letters with at least one sign that makes every other sign count. */
const exactText = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(..."abcXYZ\\/_-."), maxLength: 8 }),
    fc.constantFrom("\\", "/", "_"),
    fc.string({ unit: fc.constantFrom(..."abcXYZ\\/_-."), minLength: 1, maxLength: 8 }),
  )
  .map(([before, sign, after]) => `x${before}${sign}${after}x`);

const plainWord = fc.constantFrom("Paris", "paris", "PARIS", "Paris.", "Lyon", "lyon", "the Seine", "Seine");
const answer = fc.oneof(
  exactText,
  plainWord,
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.integer().map(String),
);
const answers = fc.array(answer, { minLength: 1, maxLength: 25 });

const place = async (all: readonly string[]) => {
  const clusters = createClusters(async () => false);
  const keys = await Promise.all(all.map((text) => clusters.place(text)));
  return all.map((text, i) => ({ answer: text, key: keys[i]! }));
};

const orders = new Cases();

export default [
  {
    name: "two exact texts that differ never share a key",
    property: fc.property(exactText, exactText, (a, b) => a === b || canonical(a).key !== canonical(b).key),
  },
  {
    name: "white space around an answer never changes its key",
    property: fc.property(fc.string({ unit: anyCharacter }), (text) => {
      return canonical(` ${text}\n`).key === canonical(text).key;
    }),
  },
  {
    name: "bold and backticks around an exact text never change its key",
    property: fc.property(exactText, (text) => {
      const { key } = canonical(text);
      return canonical(`**${text}**`).key === key && canonical(`The answer is ${text}`).key === key;
    }),
  },
  {
    name: "every vote is counted once, and a cluster is shown in its most frequent wording",
    property: fc.asyncProperty(answers, async (all) => {
      const clusters = countClusters(await place(all));
      const total = clusters.reduce((sum, { votes }) => sum + votes, 0);
      return (
        total === all.length &&
        clusters.every(({ answer, members, votes }) => {
          const most = Math.max(...members.map(({ count }) => count));
          const sum = members.reduce((all, { count }) => all + count, 0);
          return sum === votes && members.find(({ text }) => text === answer)?.count === most;
        })
      );
    }),
  },
  {
    name: "the order of arrival never changes which answers share a cluster",
    cases: orders,
    property: fc.asyncProperty(answers, fc.infiniteStream(fc.nat()), async (all, random) => {
      const shuffled = () =>
        all
          .map((text) => ({ text, at: random.next().value as number }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ text }) => text);
      const partition = async (texts: readonly string[]) =>
        countClusters(await place(texts))
          .map(({ members }) => JSON.stringify(members.map(({ text, count }) => [text, count]).toSorted()))
          .toSorted()
          .join();
      const expected = await partition(all);
      for (const order of orders.of(Array.from({ length: 10 }, shuffled)))
        if ((await partition(order)) !== expected) return false;
      return true;
    }),
  },
  {
    name: "no cluster with fewer votes than another is the leader",
    property: fc.asyncProperty(answers, fc.integer({ min: 1, max: 5 }), async (all, k) => {
      const votes = await place(all);
      const { leader, leaderVotes } = standing(
        votes.reduce((tally, { key }) => countVote(tally, key), newTally(k)),
      );
      const clusters = countClusters(votes);
      return clusters[0]!.votes === leaderVotes && clusters.some(({ key }) => key === leader);
    }),
  },
];
