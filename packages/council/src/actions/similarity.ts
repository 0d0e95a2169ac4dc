/**
 * How alike two texts are, from 0 to 1: what they share in words, in triples of characters, and in anchors (Dice). Anchors are what a
 * step turns on: paths, versions, numbers, names of code and long options. They count as much as the other two together, because a text
 * in other words names the same things, and a wrong one names others in the same words.
 */
export function similarity(a: string, b: string): number {
  return a === b ? 1 : compareProfiles(profileOf(a), profileOf(b));
}

/**
 * Minimum Bayes risk: the sample that is closest to all others, and its mean similarity to them. Each sample is its free texts; all have
 * as many. Of equally close ones the first.
 */
export function closestToAll(samples: readonly (readonly string[])[]): {
  readonly index: number;
  readonly agreement: number;
} {
  const considered = samples.slice(0, MAX_SAMPLES);
  if (considered.length < 2) return { index: 0, agreement: 1 };
  const profiles = considered.map((texts) => texts.map(profileOf));
  const means = profiles.map((own, i) => {
    const others = profiles.filter((_, j) => j !== i);
    return mean(others.map((other) => mean(own.map((text, at) => compareProfiles(text, other[at]!)))));
  });
  const agreement = Math.max(...means);
  return { index: means.indexOf(agreement), agreement };
}

/** Pairs grow with the square of the samples, profiles with their length. */
const MAX_SAMPLES = 16;
const MAX_CHARS = 20_000;

type Counts = ReadonlyMap<string, number>;
interface Profile {
  readonly words: Counts;
  readonly triples: Counts;
  readonly anchors: Counts;
}

function profileOf(text: string): Profile {
  const start = ` ${text.slice(0, MAX_CHARS).replace(/\s+/g, " ").trim()} `;
  const triples: string[] = [];
  for (let i = 0; i + 3 <= start.length; i++) triples.push(start.slice(i, i + 3));
  return {
    words: counts(start.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []),
    triples: counts(triples),
    anchors: counts([...new Set(anchorsOf(start))]),
  };
}

/** `./a/` and `a` are the same path. */
const anchorsOf = (text: string) =>
  text
    .split(/[\s"'`(){}<>|;,=:!?]+/)
    .map((word) => word.replace(/^(\.\/)+|(?<![./*])[./*]+$/g, ""))
    .filter((word) => /^--[a-z]|[\p{L}\p{N}][/._@\\][\p{L}\p{N}]|\p{N}|\p{Ll}\p{Lu}/u.test(word));

function counts(all: readonly string[]): Counts {
  const found = new Map<string, number>();
  for (const one of all) found.set(one, (found.get(one) ?? 0) + 1);
  return found;
}

function compareProfiles(a: Profile, b: Profile): number {
  const form = (dice(a.words, b.words) + dice(a.triples, b.triples)) / 2;
  return a.anchors.size + b.anchors.size === 0 ? form : (form + dice(a.anchors, b.anchors)) / 2;
}

function dice(a: Counts, b: Counts): number {
  const [sizeA, sizeB] = [sum(a.values()), sum(b.values())];
  if (sizeA + sizeB === 0) return 1;
  let shared = 0;
  for (const [one, count] of a) shared += Math.min(count, b.get(one) ?? 0);
  return (2 * shared) / (sizeA + sizeB);
}

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]) => (values.length === 0 ? 1 : sum(values) / values.length);
