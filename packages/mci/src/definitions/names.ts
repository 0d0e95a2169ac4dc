/** What a kind of name may look like. */
export interface NameRule {
  /** Characters that are replaced, as a global expression. */
  readonly refused: RegExp;
  readonly maxLength: number;
  /** Stands for a name of which nothing is left. */
  readonly fallback: string;
}

/** Tool names that OpenAI, Anthropic, Gemini, Mistral, Groq and Bedrock all accept. */
export const TOOL_NAME: NameRule = { refused: /[^a-zA-Z0-9_-]+/g, maxLength: 64, fallback: "tool" };

/** Names of top-level properties that they all accept. */
export const PROPERTY_NAME: NameRule = { refused: /[^a-zA-Z0-9_]+/g, maxLength: 64, fallback: "property" };

/**
 * Each name with the one to show a model. Names that fit stay as they are. The others are rewritten; where two would
 * become alike, both carry a hash of their own name, so that the order of the names never matters.
 */
export function acceptedNames(names: readonly string[], rule: NameRule): Map<string, string> {
  const candidates = new Map(names.map((name) => [name, rewrite(name, rule)]));
  const claims = new Map<string, number>();
  for (const candidate of candidates.values()) claims.set(candidate, (claims.get(candidate) ?? 0) + 1);
  const taken = new Set(names.filter((name) => candidates.get(name) === name));
  for (const [name, candidate] of candidates) {
    if (candidate === name) continue;
    let unique = claims.get(candidate)! > 1 ? withHash(candidate, name, rule) : candidate;
    // Two hashes may be alike, or a name may look like one.
    for (let round = 1; taken.has(unique); round++) unique = withHash(candidate, `${name}\n${round}`, rule);
    taken.add(unique);
    candidates.set(name, unique);
  }
  return candidates;
}

function rewrite(name: string, rule: NameRule): string {
  const { refused, maxLength, fallback } = rule;
  // Accents come apart from their letters: "prévision" keeps its letters.
  const replaced = name.search(refused) < 0 ? name : trimmed(unaccented(name).replaceAll(refused, "_"));
  const named = replaced === "" ? fallback : /^[a-zA-Z_]/.test(replaced) ? replaced : `_${replaced}`;
  return named.length > maxLength ? withHash(named, name, rule) : named;
}

function unaccented(name: string): string {
  return name.normalize("NFKD").replaceAll(/\p{M}/gu, "");
}

function trimmed(name: string): string {
  return name.replaceAll(/^_+|_+$/g, "");
}

function withHash(candidate: string, name: string, { maxLength }: NameRule): string {
  const suffix = `_${hash(name)}`;
  return candidate.slice(0, maxLength - suffix.length) + suffix;
}

/** FNV-1a, 32 bits: short, stable, and not for secrets. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value.toString(36).padStart(7, "0");
}
