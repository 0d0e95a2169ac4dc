import type { Run } from "../run.ts";
import { withoutReasoning } from "../sampling/read-reply.ts";
import { judge } from "../strategies/judge.ts";
import type { ActConfig } from "./act-config.ts";

/** The judge's words for a reply to the user, where the settings ask for them; undefined: those of the sample. */
export async function finalReply(
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
