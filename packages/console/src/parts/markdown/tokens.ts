import { lexer, type Token, type Tokens } from "marked";
import { MAX_DEPTH } from "./depth.ts";

/** Elements that a text may become; beyond, it is shown as it is. */
const MAX_TOKENS = 20_000;

/** The tokens of a text; undefined if they are too many or the text cannot be parsed. May take very long: see `parse.ts`. */
export function tokenize(text: string): Token[] | undefined {
  try {
    const tokens = lexer(text, { gfm: true });
    const budget = { left: MAX_TOKENS };
    trim(tokens, 1, budget);
    return budget.left < 0 ? undefined : tokens;
  } catch {
    return undefined;
  }
}

/** Counts the tokens, and cuts off what lies too deep to be shown. */
function trim(tokens: readonly Token[], depth: number, budget: { left: number }): void {
  for (const token of tokens) {
    budget.left--;
    if (budget.left < 0) return;
    for (const holder of holdersOf(token)) {
      if (holder.tokens === undefined) continue;
      if (depth > MAX_DEPTH) holder.tokens = [];
      else trim(holder.tokens, depth + 1, budget);
    }
  }
}

/** What has tokens in it: the token itself, the items of a list, the cells of a table. */
function holdersOf(token: Token): { tokens?: Token[] }[] {
  if (token.type === "list") return (token as Tokens.List).items;
  if (token.type !== "table") return [token as { tokens?: Token[] }];
  const { header, rows } = token as Tokens.Table;
  return [...header, ...rows.flat()];
}
