import type { Model, ModelReply, StepsTaskSpec } from "../src/index.ts";
import { seededRandom } from "./seeded-random.ts";

/**
 * Towers of Hanoi as a task of steps, and a simulated model of known error rate that plays it. Disks are letters, the largest is
 * `a`; a peg is its disks from the bottom to the top. The answer names the move and the pegs after it, as in the MAKER paper.
 */
export function hanoiTask(disks: number, config: StepsTaskSpec["config"] = { k: 3 }): StepsTaskSpec {
  const all = "abcdefghijklmnopqrstuvwxyz".slice(0, disks);
  const peg = { type: "string", pattern: "^[a-z]*$" };
  return {
    kind: "steps",
    name: `Towers of Hanoi, ${disks} disks`,
    state: { a: all, b: "", c: "" },
    step: {
      prompt:
        "Move {{step}} of Towers of Hanoi. Pegs: {{state.a}}|{{state.b}}|{{state.c}}. Which move is next?",
      answer: {
        type: "object",
        properties: { from: { enum: PEGS }, to: { enum: PEGS }, a: peg, b: peg, c: peg },
        required: ["from", "to", ...PEGS],
        additionalProperties: false,
      },
      next: "{ a: answer.a, b: answer.b, c: answer.c }",
    },
    until: `length(state.${PEGS[disks % 2 === 1 ? 2 : 1]}) == \`${disks}\``,
    max_steps: 2 ** disks,
    checks: ["answer.from != answer.to"],
    config,
  };
}

const PEGS = ["a", "b", "c"] as const;

/** The known solution: which peg the disk of move `step` (from 1) comes from, and which it goes to. */
export function hanoiMove(step: number): { from: string; to: string } {
  return { from: PEGS[(step & (step - 1)) % 3]!, to: PEGS[((step | (step - 1)) + 1) % 3]! };
}

export interface HanoiModel extends Model {
  readonly calls: number;
}

/** Errors are always the same wrong move, which is the worst case for a vote. `flagRate`: replies that are cut off. */
export function hanoiModel(options: { errorRate: number; flagRate?: number; seed?: number }): HanoiModel {
  const { errorRate, flagRate = 0, seed = 1 } = options;
  const random = seededRandom(seed);
  let calls = 0;
  return {
    get calls() {
      return calls;
    },
    async complete({ messages }, signal): Promise<ModelReply> {
      signal.throwIfAborted();
      calls++;
      const [, step, ...pegs] = PROMPT.exec(messages.at(-1)!.content)!;
      const object = { rationale: "", answer: play(Number(step), pegs, random() < errorRate) };
      return {
        text: "",
        object,
        finishReason: random() < flagRate ? "length" : "stop",
        usage: { inputTokens: 40, outputTokens: 20, costUsd: 0.00001 },
        latencyMs: 0,
      };
    },
  };
}

const PROMPT = /Move (\d+) of Towers of Hanoi\. Pegs: (\w*)\|(\w*)\|(\w*)\./;

function play(step: number, pegs: readonly string[], wrong: boolean): Record<string, string> {
  const right = hanoiMove(step);
  const to = wrong ? PEGS.find((peg) => peg !== right.from && peg !== right.to)! : right.to;
  const [a, b, c] = PEGS.map((peg, i) => {
    const disks = pegs[i]!;
    if (peg === right.from) return disks.slice(0, -1);
    return peg === to ? disks + pegs[PEGS.indexOf(right.from as "a")]!.slice(-1) : disks;
  });
  return { from: right.from, to, a: a!, b: b!, c: c! };
}
