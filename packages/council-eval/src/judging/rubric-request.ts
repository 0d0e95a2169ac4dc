/**
 * What a model is asked about an answer where a question has only a rubric. Right or wrong, as words: asked whether an answer satisfies a
 * rubric, true or false, small models say true to everything (docs/council/live-model-larger.md has the figures).
 */
export function rubricRequest(
  { rubric, prompt }: { readonly rubric?: string | undefined; readonly prompt: string },
  answer: string | object,
  model: string | undefined,
) {
  return {
    prompt: `A right answer: ${rubric}\nIs the answer in the context right or wrong?`,
    context: { question: prompt, answer },
    intent: "validation" as const,
    config: { k: 1, ...(model === undefined ? {} : { model }), answer_schema: VERDICT },
  };
}

/** Whether the model found so. */
export const isSatisfied = (answer: unknown) => (answer as { verdict?: unknown } | null)?.verdict === "right";

const VERDICT = {
  type: "object",
  properties: { verdict: { enum: ["wrong", "right"] } },
  required: ["verdict"],
};
