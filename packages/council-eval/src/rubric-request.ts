/** What a model is asked about an answer where a question has only a rubric. */
export function rubricRequest(
  { rubric, prompt }: { readonly rubric?: string | undefined; readonly prompt: string },
  answer: string | object,
  model: string | undefined,
) {
  return {
    prompt: `Does the answer in the context satisfy this rubric?\n${rubric}`,
    context: { question: prompt, answer },
    intent: "validation" as const,
    config: { k: 1, ...(model === undefined ? {} : { model }), answer_schema: SATISFIED },
  };
}

/** Whether the model found so. */
export const isSatisfied = (answer: unknown) =>
  (answer as { satisfied?: unknown } | null)?.satisfied === true;

const SATISFIED = {
  type: "object",
  properties: { satisfied: { type: "boolean" } },
  required: ["satisfied"],
};
