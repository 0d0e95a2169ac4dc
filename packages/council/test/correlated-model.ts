import type { Model, ModelReply, ModelRequest } from "../src/model.ts";

export interface CorrelatedOptions {
  /** The mean chance that a sample is right. */
  readonly p: number;
  /** Correlation of two samples of one question in the same wording. */
  readonly dependence: number;
  /** How much of a question's luck changes with the wording: 0 none, 1 all. */
  readonly wordingShare?: number;
  readonly seed?: number;
}

/**
 * A simulated model whose samples depend on each other: each question has its own chance of being right, drawn from a beta distribution,
 * of which a part is drawn anew for each wording. Questions are "Question N?", the right answer is "right N", the wrong one "wrong N".
 */
export function correlatedModel({ p, dependence, wordingShare = 0, seed = 1 }: CorrelatedOptions): Model {
  let calls = 0;
  return {
    async complete({ messages, schema, purpose }: ModelRequest) {
      if (purpose === "equivalence") return reply({ same: false });
      const text = messages.map(({ content }) => content).join("\n");
      const number = /Question (\d+)\?/.exec(text)![1]!;
      // One draw for the question, one for the wording: which of them counts is the question's own.
      const byWording = uniform(`${seed} ${number} which`) < wordingShare;
      const luck = uniform(byWording ? `${seed} ${text}` : `${seed} ${number}`);
      const chance =
        dependence >= 1
          ? Number(luck < p)
          : betaQuantile(luck, p * (1 / dependence - 1), (1 - p) * (1 / dependence - 1));
      const isRight = uniform(`${seed} ${number} ${calls++} sample`) < chance;
      const object = {
        answer: `${isRight ? "right" : "wrong"} ${number}`,
        ...(schema?.name === "seat" ? { proposal: "because" } : {}),
      };
      return reply(object);
    },
  };
}

const reply = (object: object): ModelReply => ({
  text: JSON.stringify(object),
  finishReason: "stop",
  usage: { inputTokens: 50, outputTokens: 10 },
  latencyMs: 1,
});

/** In [0, 1), the same for the same text (FNV-1a and a finisher). */
export function uniform(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return ((value ^ (value >>> 16)) >>> 0) / 2 ** 32;
}

/** By bisection on a sum over the density: exact enough for a simulation. */
function betaQuantile(share: number, a: number, b: number): number {
  const table = quantiles.get(`${a} ${b}`) ?? tabulate(a, b);
  quantiles.set(`${a} ${b}`, table);
  let low = 0;
  let high = table.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (table[middle]! < share) low = middle + 1;
    else high = middle;
  }
  return (low + 0.5) / table.length;
}

const quantiles = new Map<string, Float64Array>();

function tabulate(a: number, b: number): Float64Array {
  const size = 20_000;
  const table = new Float64Array(size);
  let sum = 0;
  for (let i = 0; i < size; i++) {
    const x = (i + 0.5) / size;
    sum += Math.exp((a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x));
    table[i] = sum;
  }
  return table.map((value) => value / sum);
}
