import { expect, test } from "vitest";
import { CouncilError } from "../src/errors.ts";
import { ModelError } from "../src/model.ts";
import { ask } from "./ask.ts";
import { inOrder, pick } from "./scripted-model.ts";

const QUESTION = "Use tabs or spaces?";

test("[M-transport] attempts that the adapter sent again are transport errors, never votes", async () => {
  const { result } = ask({ prompt: QUESTION }, { vote: inOrder({ ...pick("tabs"), retries: 2 }) });
  expect((await result).metadata.voting).toMatchObject({ samples: 3, transport_errors: 6 });
});

test("[M-invalid-json] what a provider itself rejects as invalid JSON is a red flag, whatever it holds", async () => {
  const rejected = { ...pick("spaces"), finishReason: "invalid_output" as const };
  const { result } = ask({ prompt: QUESTION }, { vote: inOrder(rejected, pick("tabs")) });
  expect((await result).metadata.voting).toMatchObject({ red_flagged: 1, votes: { tabs: 3 } });
});

test("[M-limiter] a run that a busy provider fails says when to come back", async () => {
  const busy = new ModelError("busy", { retryable: false, status: 429, retryAfterMs: 90_000 });
  const { result } = ask(
    { prompt: QUESTION },
    {
      vote: () => {
        throw busy;
      },
    },
  );
  const error = await result.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CouncilError);
  expect(error).toMatchObject({ code: "all_calls_failed", retryAfterMs: 90_000 });
});
