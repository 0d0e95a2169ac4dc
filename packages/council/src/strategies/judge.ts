import type { AnswerSchema, Message } from "../model.ts";
import { type AnswerForm, toAnswerSchema, type Verdict, verdictSchema } from "../prompts/answer-schemas.ts";
import type { PromptSet } from "../prompts/prompt-set.ts";
import { judgePrompt } from "../prompts/prompts.ts";
import type { Run } from "../run.ts";
import { estimateTokens } from "../sampling/estimate-tokens.ts";
import { sample } from "../sampling/sample.ts";
import { shuffled } from "../shuffled.ts";
import { label } from "./anonymous.ts";
import { longTextSet } from "./short-of-time.ts";

export interface Judgement {
  readonly model: string;
  readonly verdict: Verdict;
  /** The judge found the proposals dangerously at odds. */
  readonly redFlag: boolean;
}

/** What the judge has to decide. */
export interface Contest {
  /** What this council calls agreement. */
  readonly k: number;
  /** The answers it may choose from; empty where it answers in its own words. */
  readonly answers: readonly string[];
  /** Whether the seats gave different answers. */
  readonly contested: boolean;
}

/** A malformed verdict is asked for once more; then the next model is tried. */
const MAX_ATTEMPTS_PER_JUDGE = 2;

/** Lets the first judge that can decide. Proposals lose their seat, their order, and any power to give orders. */
export async function judge(
  run: Run,
  proposals: readonly string[],
  form: AnswerForm,
  { k, answers, contested }: Contest,
): Promise<Judgement | { readonly error: string }> {
  const order = shuffled(proposals.length, run.random);
  const schema = verdictSchema(form);
  let error = "no judge is configured";
  for (const model of run.settings.judges) {
    run.emit({ type: "judge.started", model, proposals: proposals.length });
    const texts = await fitProposals(run, model, proposals);
    const labelled = order.map((index, place) => ({ label: label(place), text: texts[index]! }));
    let asked:
      | { set: PromptSet; request: { messages: readonly Message[]; sentSchema: AnswerSchema } }
      | undefined;
    for (let attempt = 0; attempt < MAX_ATTEMPTS_PER_JUDGE; attempt++) {
      const set = longTextSet(run, model);
      if (asked?.set !== set) {
        const messages = judgePrompt(run.question, labelled, form, { k, answers, set });
        const sentSchema = toAnswerSchema("judge", schema, { object: form.object, set, answers });
        asked = { set, request: { messages, sentSchema } };
      }
      const sampled = await sample(run, {
        purpose: "judge",
        model,
        ...asked.request,
        schema,
        object: form.object,
        temperature: attempt * 0.1,
        timeShare: TIME_SHARE,
      });
      if (sampled.kind === "sample") {
        // Where all seats answered the same there is nothing to settle, whatever a weak judge ticks.
        const redFlag = (contested && sampled.value.unresolved) || RED_FLAG.test(sampled.value.decision);
        run.emit({ type: "judge.decided", model, red_flag: redFlag, answer: sampled.value.answer });
        return { model, verdict: sampled.value, redFlag };
      }
      if (sampled.kind === "stopped") return { error: "the run was stopped before a judge could decide" };
      error = `${model}: ${sampled.reason}`;
      if (sampled.kind === "failed") break;
    }
    run.emit({ type: "judge.failed", model, error });
  }
  return { error: `every judge failed, the last being ${error}` };
}

/** The part of the time left that one attempt has: a second one may need the rest. */
const TIME_SHARE = 0.7;

/** Judges that know these reports write it themselves, and dress it: `**RED FLAG:**`, `## RED FLAG:`. */
const RED_FLAG = /^[\s*_#>"'`]*RED FLAG[\s*_"'`]*:/i;

/** The part of the context window that is for the reply, and for our own instructions. */
const REPLY_SHARE = 0.25;
const INSTRUCTION_TOKENS = 400;
/** Fewer than a token has on average: what is cut must surely fit. */
const CHARS_PER_TOKEN = 3;
const CUT = "\n[…]";

/** The proposals as this judge can take them: where they do not fit its context window, the longest are cut, and a notice says so. */
async function fitProposals(
  run: Run,
  model: string,
  proposals: readonly string[],
): Promise<readonly string[]> {
  const tokens = proposals.reduce((sum, text) => sum + Math.ceil(text.length / CHARS_PER_TOKEN), 0);
  const { prompt, context } = run.question;
  const beside =
    2 * (estimateTokens(prompt) + estimateTokens(JSON.stringify(context ?? ""))) + INSTRUCTION_TOKENS;
  const window = run.contextWindows.get(model) ?? (await run.findContextWindow(model, tokens + beside));
  if (window === undefined) return proposals;
  const room = Math.floor(window * (1 - REPLY_SHARE) - beside) * CHARS_PER_TOKEN;
  const limit = fairLimit(
    proposals.map(({ length }) => length),
    Math.max(room, proposals.length * CUT.length * 2),
  );
  if (proposals.every(({ length }) => length <= limit)) return proposals;
  run.notices.add(
    `Long proposals were cut to ${limit} characters for the judge ${model}, whose context window has ${window} tokens.`,
  );
  return proposals.map((text) =>
    text.length <= limit ? text : `${text.slice(0, limit - CUT.length)}${CUT}`,
  );
}

/** The length that all texts may have so that their sum fits: short ones leave their room to the others. */
export function fairLimit(lengths: readonly number[], room: number): number {
  let left = room;
  const ascending = lengths.toSorted((a, b) => a - b);
  for (const [i, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - i));
    if (length > share) return share;
    left -= length;
  }
  return Number.MAX_SAFE_INTEGER;
}
