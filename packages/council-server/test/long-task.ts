/** A task of so many steps for a provider whose answer is always the same: steps are counted by their number. */
export function longTask(steps: number) {
  return {
    kind: "steps",
    state: {},
    step: {
      prompt: "Step {{step}}: which number?",
      answer: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
      next: "{ n: answer.n }",
    },
    until: `step >= \`${steps}\``,
    config: { k: 2 },
  };
}
