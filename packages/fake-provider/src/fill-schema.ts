import type { JsonSchema } from "./chat-request.ts";

/** An object of the schema: the answer wherever text is wanted, sensible values for what the council asks beside it. */
export function fill(schema: JsonSchema, answer: string, text: string, name = "answer"): unknown {
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name]?.(text, answer) : undefined;
  if (special !== undefined) return special;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum.includes(answer) ? answer : schema.enum.toSorted()[0];
  if (isNullable(schema)) return null;
  if (schema.anyOf) return fill(schema.anyOf[0] ?? {}, answer, text, name);
  const type = typeof schema.type === "string" ? schema.type : schema.type?.[0];
  if (type === "object" || schema.properties) {
    if (schema.properties?.["steps"]) return plan(answer);
    const entries = Object.entries(schema.properties ?? {});
    return Object.fromEntries(entries.map(([key, value]) => [key, fill(value, answer, text, key)]));
  }
  if (type === "array")
    return Array.from({ length: schema.minItems ?? 0 }, () => fill(schema.items ?? {}, answer, text, name));
  if (type === "integer" || type === "number") return schema.minimum ?? 1;
  if (type === "boolean") return true;
  return name === "rationale" ? `Because it is ${answer}.` : answer;
}

function isNullable({ type, anyOf = [] }: JsonSchema): boolean {
  return (Array.isArray(type) && type.includes("null")) || anyOf.some((option) => option.type === "null");
}

const SPECIAL: Readonly<Record<string, (text: string, answer: string) => unknown>> = {
  // Two answers are the same when they differ in dress only.
  same: (text) => bare(fenced(text, "first answer")) === bare(fenced(text, "second answer")),
  // A judge reports what the seats said: a demonstration must not show an agreement that is not there.
  positions: (text) => positionsIn(text)?.map(({ position, labels }) => ({ position, proposals: labels })),
  consensus: (text) => {
    const positions = positionsIn(text);
    return positions && (positions.length === 1 ? [`All proposals say: ${positions[0]!.position}`] : []);
  },
  contradictions: (text) => {
    const positions = positionsIn(text);
    if (!positions) return undefined;
    return positions.length === 1
      ? []
      : [`They differ: ${positions.map(({ position }) => position).join("; ")}`];
  },
  dissent: (text) =>
    positionsIn(text)
      ?.slice(1)
      .map(({ position, labels }) => `${labels.join(", ")}: ${position}`),
  // Every label once, those of the largest group first.
  ranking: (text) => positionsIn(text)?.flatMap(({ labels }) => labels),
  unresolved: () => false,
  decision: (text) => positionsIn(text)?.[0]?.position,
};

/** The proposals in a judge's prompt, grouped by what they say, the largest group first; undefined where there are none. */
function positionsIn(text: string): { position: string; labels: string[] }[] | undefined {
  const groups = new Map<string, { position: string; labels: string[] }>();
  for (const { label, proposal } of proposalsIn(text)) {
    const group = groups.get(bare(proposal)) ?? { position: proposal, labels: [] };
    group.labels.push(label);
    groups.set(bare(proposal), group);
  }
  return groups.size === 0
    ? undefined
    : [...groups.values()].sort((a, b) => b.labels.length - a.labels.length);
}

/** Between marks, or in the quotation marks of the prompts for small models. */
function proposalsIn(text: string): readonly { label: string; proposal: string }[] {
  const marked = text.matchAll(/<<< proposal ([A-Y]) (\S+)\n([\s\S]*?)\n\2 >>>/g);
  const quoted = text.matchAll(/^Proposal ([A-Y]): (".*")$/gm);
  return [
    ...marked.map(([, label, , proposal]) => ({ label: label!, proposal: proposal! })),
    ...quoted.map(([, label, json]) => ({ label: label!, proposal: JSON.parse(json!) as string })),
  ];
}

function fenced(text: string, label: string): string {
  return new RegExp(`<<< ${label} (\\S+)\\n([\\s\\S]*?)\\n\\1 >>>`).exec(text)?.[2] ?? label;
}

function bare(answer: string): string {
  return answer
    .toLowerCase()
    .replace(/^the answer is /, "")
    .replace(/[^\p{L}\p{N} ]/gu, "")
    .trim();
}

function plan(task: string): unknown {
  const steps = [
    { id: 1, action: `Understand: ${task}`, input: "the task", output: "requirements", dependencies: [] },
    { id: 2, action: "Build it", input: "requirements", output: "a build", dependencies: [1] },
    { id: 3, action: "Check the result", input: "a build", output: "a verdict", dependencies: [2] },
  ];
  return { task, total_steps: steps.length, steps };
}
