/** A small task that every model can do, as forms offer it and tests use it. It imports nothing: the console has it, too. */
export const EXAMPLE_TASK = {
  kind: "steps",
  name: "count",
  state: { n: 0 },
  step: {
    prompt: "The number is {{state.n}}. Which one follows?",
    answer: {
      type: "object",
      properties: { n: { type: "integer" } },
      required: ["n"],
      additionalProperties: false,
    },
    next: "{ n: answer.n }",
  },
  until: "state.n >= `20`",
  max_steps: 100,
  config: { k: 3 },
} as const;
