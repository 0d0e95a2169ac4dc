import * as fc from "fast-check";
import { Sessions } from "./sessions.ts";

const step = fc.record({
  action: fc.constantFrom("issue", "open", "openShown", "revoke", "guess"),
  which: fc.nat(5),
  guess: fc.string(),
});

export default [
  {
    name: "a one-time token of the console opens one session, and none once it is gone",
    property: fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const sessions = new Sessions();
      const tokens: { token: string; revoke(): void; isGood: boolean }[] = [];
      const opens = (token: string) => {
        try {
          sessions.check(`Bearer ${sessions.open(`Bearer ${token}`).session}`);
          return true;
        } catch {
          return false;
        }
      };
      let isRight = true;
      for (const { action, which, guess } of steps) {
        const entry = tokens[which % Math.max(1, tokens.length)];
        if (action === "issue") {
          const issued = { ...sessions.issue(60_000, () => (kept.isGood = false)), isGood: true };
          const kept = issued;
          tokens.push(issued);
        } else if (action === "guess") isRight &&= !opens(guess);
        else if (action === "openShown") {
          const shown = sessions.oneTimeToken;
          isRight &&= opens(shown) && !opens(shown) && sessions.oneTimeToken !== shown;
        } else if (entry !== undefined && action === "revoke") entry.revoke();
        else if (entry !== undefined) {
          const { isGood } = entry;
          isRight &&= opens(entry.token) === isGood && !opens(entry.token);
        }
      }
      for (const { revoke } of tokens) revoke();
      return isRight;
    }),
  },
];
