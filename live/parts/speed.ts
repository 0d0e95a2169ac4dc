import type { Part } from "../part.ts";

interface Completion {
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
  readonly timings: { readonly prompt_per_second: number; readonly predicted_per_second: number };
}

export const speedPart: Part = {
  name: "speed",
  title: "The model server",
  about: "How fast llama.cpp reads and writes here, as it reports itself; the other times depend on it.",
  async run({ modelUrl }) {
    const response = await fetch(`${modelUrl}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        temperature: 0,
        max_tokens: 100,
        messages: [
          { role: "user", content: `${"The river runs to the sea. ".repeat(30)}\nGo on with this story.` },
        ],
      }),
    });
    const { usage, timings } = (await response.json()) as Completion;
    const rate = (value: number) => `${value.toFixed(0)} tokens a second`;
    return [
      { what: "reads", ours: rate(timings.prompt_per_second), note: `${usage.prompt_tokens} tokens` },
      { what: "writes", ours: rate(timings.predicted_per_second), note: `${usage.completion_tokens} tokens` },
    ];
  },
};
