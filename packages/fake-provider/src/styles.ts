/** Habits of models in how they write an object they are asked for. The first group is dialect, the second damage. */
export const STYLES = {
  plain: (json: string) => json,
  // Beside the content, in the field that the dialect has for it.
  reasoning: (json: string) => json,
  fenced: (json: string) => `\`\`\`json\n${pretty(json)}\n\`\`\``,
  think: (json: string) => `<think>\nThe user asks {something}. Let me see: [1, 2].\n</think>\n\n${json}`,
  "lone-think": (json: string) => `First I compare them.\n</think>\n${json}`,
  preamble: (json: string) =>
    `Sure! Here is the JSON you asked for:\n\n${json}\n\nLet me know if you need anything else.`,
  "extra-keys": (json: string) => edit(json, (object) => ({ ...object, confidence: 0.9, notes: ["extra"] })),
  "no-rationale": (json: string) => edit(json, ({ rationale: _, ...object }) => object),
  number: (json: string) =>
    edit(json, (object) => ("answer" in object ? { ...object, answer: asNumber(object["answer"]) } : object)),
  "letter-case": (json: string) =>
    edit(json, (object) =>
      "answer" in object ? { ...object, answer: ` ${String(object["answer"]).toUpperCase()} ` } : object,
    ),
  chinese: (json: string) =>
    edit(json, (object) =>
      "rationale" in object ? { ...object, rationale: "因为这是正确的答案。" } : object,
    ),
  pretty: (json: string) => pretty(json),

  refusal: (json: string) =>
    edit(json, (object) =>
      Object.fromEntries(
        Object.entries(object).map(([key, value]) => [
          key,
          typeof value === "string" ? "I'm sorry, but I can't help with that." : value,
        ]),
      ),
    ),
  "two-objects": (json: string) =>
    `${json}\n${edit(json, (object) => ({ ...object, answer: "something else", decision: "something else", task: "something else", same: "maybe" }))}`,
  "trailing-comma": (json: string) => json.replace(/\}$/, ",}"),
  truncated: (json: string) => json.slice(0, -Math.ceil(json.length / 4)),
} as const satisfies Record<string, (json: string) => string>;

export type Style = keyof typeof STYLES;
export const STYLE_NAMES = Object.keys(STYLES) as [Style, ...Style[]];

const pretty = (json: string) => JSON.stringify(JSON.parse(json), null, 2);

function edit(json: string, change: (object: Record<string, unknown>) => object): string {
  return JSON.stringify(change(JSON.parse(json)));
}

const asNumber = (answer: unknown) => (Number.isNaN(Number(answer)) ? answer : Number(answer));
