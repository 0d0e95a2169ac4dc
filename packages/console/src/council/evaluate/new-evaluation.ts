import type { Column, Evaluation } from "./types.ts";

/** Names that no one has to agree on, also where a page is not served securely. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

export const newColumn = (change: Partial<Column> = {}): Column => ({
  id: newId(),
  name: "",
  model: "",
  method: "single",
  prompt: 0,
  settings: {},
  ...change,
});

export const newEvaluation = (change: Partial<Evaluation> = {}): Evaluation => ({
  id: newId(),
  name: "",
  created_at: new Date().toISOString(),
  source: "",
  format: "auto",
  prompts: [],
  columns: [newColumn(), newColumn({ method: "vote-3" })],
  repeats: 1,
  concurrency: 4,
  ...change,
});

export const EXAMPLE = {
  name: "A first look",
  source: [
    '{"id": "capital", "prompt": "What is the capital of Australia?", "answer": "Canberra"}',
    '{"id": "legs", "prompt": "How many legs does a spider have?", "answer": 8, "accept": ["eight"]}',
    '{"id": "product", "prompt": "What is 17 * 23? Answer with the number only.", "answer": 391}',
    '{"id": "fruit", "prompt": "Is a tomato a fruit or a vegetable?", "answer": "fruit"}',
    '{"id": "sky", "prompt": "Why is the sky blue?", "rubric": "Says that the air scatters short wavelengths more strongly than long ones."}',
  ].join("\n"),
};
