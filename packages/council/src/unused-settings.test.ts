import { expect, it } from "vitest";
import { STRATEGIES } from "./strategies/strategies.ts";
import { unusedSettings } from "./unused-settings.ts";

const [vote, council, decompose] = ["vote", "council", "decompose"].map(
  (name) => STRATEGIES.find((strategy) => strategy.name === name)!,
) as [(typeof STRATEGIES)[number], (typeof STRATEGIES)[number], (typeof STRATEGIES)[number]];

it("a setting that the strategy has no use for is named, and one that it uses is not [V-unused]", () => {
  expect(unusedSettings({ k: 2, num_voters: 5, peer_ranking: false }, [vote])).toEqual([
    "config.num_voters was ignored: solve_with_voting has no use for it",
    "config.peer_ranking was ignored: solve_with_voting has no use for it",
  ]);
  expect(unusedSettings({ k: 2, num_voters: 5, escalate: ["council"] }, [council])).toEqual([
    "config.escalate was ignored: consult_council has no use for it",
  ]);
  expect(unusedSettings({ k: 2, model: "m", deadline_ms: 5 }, [decompose])).toHaveLength(1);
  expect(unusedSettings(undefined, [vote])).toEqual([]);
});

it("after an escalation only what neither strategy used is named [V-unused]", () => {
  expect(unusedSettings({ num_voters: 5, escalate: ["council"], hedge: true }, [vote, council])).toEqual([]);
});

it("a setting without the one that it belongs to is named [V-unused]", () => {
  expect(unusedSettings({ target: 0.9, steps: 3, act: {} }, [vote])).toEqual([
    'config.target was ignored: it goes with k: "auto"',
    'config.steps was ignored: it goes with k: "auto"',
    "config.act was ignored: it is for the models act…",
  ]);
  expect(unusedSettings({ k: "auto", target: 0.9, steps: 3 }, [vote])).toEqual([]);
  expect(unusedSettings({ cheap_first: true, target: 0.9 }, [vote])).toEqual([]);
});
