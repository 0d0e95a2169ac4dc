import { describe, expect, it } from "vitest";
import { realClock } from "../clock.ts";
import { voteLoop } from "./loop.ts";
import { decideAgain } from "./what-if.ts";

const votes = (text: string) => [...text].map((key, index) => ({ call: index + 1, key, model: "m" }));

describe("recorded votes, decided again [V-what-if]", () => {
  it("end as the vote itself ended, for every order of votes and every k", async () => {
    let seed = 3;
    for (let round = 0; round < 200; round++) {
      const text = Array.from({ length: 30 }, () => {
        seed = (seed * 48271) % 2147483647;
        return "aaab c"[seed % 6];
      }).join("");
      const k = 1 + (round % 5);
      const counted: string[] = [];
      const { winner, undecided } = await voteLoop({
        ...{ k, maxSamples: 30, speculation: 0, hedge: false, clock: realClock },
        sample: async (index) => ({ kind: "vote", key: text[index]! }),
        onCounted: (_, index) => void counted.push(text[index]!),
      });
      const again = decideAgain(votes(counted.join("")), { kind: "ahead", k });
      expect([again.winner, again.used]).toEqual([winner, counted.length]);
      if (undecided !== "sample_cap") expect(again.undecided).toBe(undecided);
    }
  });

  it("say what a cheaper setting would have decided, and when more votes would be needed", () => {
    const recorded = votes("baaaba");
    expect(decideAgain(recorded, { kind: "ahead", k: 1 })).toMatchObject({ winner: "b", used: 1 });
    expect(decideAgain(recorded, { kind: "ahead", k: 2 })).toMatchObject({ winner: "a", used: 4 });
    expect(decideAgain(recorded, { kind: "ahead", k: 4 })).toMatchObject({
      ...{ winner: null, undecided: "votes_exhausted", used: 6, need: 2 },
      lanes: [
        { key: "a", votes: 4 },
        { key: "b", votes: 2 },
      ],
    });
    expect(decideAgain(recorded, { kind: "first", k: 2 })).toMatchObject({ winner: "a", used: 3 });
    expect(decideAgain(recorded, { kind: "majority", k: 2 })).toMatchObject({
      winner: null,
      undecided: "tie",
    });
    expect(decideAgain(recorded, { kind: "majority", k: 5 })).toMatchObject({ winner: "a", used: 5 });
    expect(decideAgain([], { kind: "ahead", k: 3 })).toMatchObject({ winner: null, used: 0, need: 3 });
  });
});
