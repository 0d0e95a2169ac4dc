import { appendLine, readLines } from "../run/json-lines.ts";

/** What the judge of a rubric said of one answer. */
export interface Judgement {
  readonly question: string;
  /** The hash of the question when it was asked. */
  readonly hash: string;
  readonly model: string;
  readonly answer: string;
  /** What was added to the answer to win the judge over; empty: nothing. */
  readonly attack: string;
  readonly satisfied: boolean;
  readonly calls: number;
  readonly cost_usd: number | null;
}

export type JudgedAnswer = Pick<Judgement, "hash" | "model" | "answer" | "attack">;

/** Each judgement is on disk before the next answer is judged, so that a kill loses only what is in flight. */
export class JudgementsFile {
  readonly #path: string;
  readonly #known: Map<string, Judgement>;

  constructor(path: string) {
    this.#path = path;
    this.#known = new Map(readLines<Judgement>(path).map((one) => [keyOf(one), one]));
  }

  find(answer: JudgedAnswer): Judgement | undefined {
    return this.#known.get(keyOf(answer));
  }

  append(judgement: Judgement): void {
    this.#known.set(keyOf(judgement), judgement);
    appendLine(this.#path, judgement);
  }
}

const keyOf = ({ hash, model, answer, attack }: JudgedAnswer) =>
  JSON.stringify([hash, model, answer, attack]);
