/**
 * What a model is asked about an answer where a question has only a rubric. "Is it right or wrong?", with the warning: asked whether the
 * answer satisfies the rubric, small models say yes to everything (docs/council/live-model.md has the figures).
 */
export function rubricRequest(
  { rubric, prompt }: { readonly rubric?: string | undefined; readonly prompt: string },
  answer: string | object,
  model: string | undefined,
) {
  return {
    prompt: `Grade the answer in the context; many answers are wrong. A right answer: ${rubric}\nIs it right or wrong?`,
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
