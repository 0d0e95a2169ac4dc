import type { Run } from "../run.ts";
import { estimateTokens } from "../sampling/estimate-tokens.ts";

/** The part of the context window that is for the reply, and for our own instructions. */
const REPLY_SHARE = 0.25;
const INSTRUCTION_TOKENS = 400;
/** Fewer than a token has on average: what is cut must surely fit. */
const CHARS_PER_TOKEN = 3;
const CUT = "\n[…]";

/** The proposals as this judge can take them: where they do not fit its context window, the longest are cut, and a notice says so. */
export async function fitProposals(
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
