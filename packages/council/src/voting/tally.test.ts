import fc from "fast-check";
import { expect, test } from "vitest";
import { countVote, newTally, standing } from "./tally.ts";

const after = (k: number, votes: string) => standing([...votes].reduce(countVote, newTally(k)));

test.each([
  [3, "", null, 3],
  [3, "A", "A", 2],
  [3, "AB", "A", 3],
  [3, "ABB", "B", 2],
  [3, "AAA", "A", 0],
  [3, "AABAA", "A", 0],
  [2, "ABCAA", "A", 0],
  [1, "B", "B", 0],
])(
  "[V-reducer] with k = %i, after the votes %j the leader is %j and %i are needed",
  (k, votes, leader, need) => {
    expect(after(k, votes)).toMatchObject({ leader, need });
  },
);

test("[V-reducer] counting leaves the earlier tally as it was", () => {
  const before = countVote(newTally(2), "A");
  countVote(before, "A");
  expect(standing(before).leaderVotes).toBe(1);
});

test("[V-reducer] one vote lowers the need by at most one, which is why no call is ever wasted", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("A", "B", "C", "D")), fc.integer({ min: 1, max: 6 }), (votes, k) => {
      let tally = newTally(k);
      for (const vote of votes) {
        const { need } = standing(tally);
        tally = countVote(tally, vote);
        if (standing(tally).need < need - 1) return false;
      }
      return true;
    }),
  );
});

test("answers named like parts of an object are answers like any other", () => {
  expect(standing(["__proto__", "constructor", "__proto__"].reduce(countVote, newTally(1))).leader).toBe(
    "__proto__",
  );
});
