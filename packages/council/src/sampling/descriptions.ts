import type { CompiledAnswerSchema } from "../answer-schema/compile.ts";

/** The descriptions in a caller's schema, which a reply must not merely repeat. Collected once for each schema. */
export function descriptionsIn(object: CompiledAnswerSchema): string {
  const cached = collected.get(object);
  if (cached !== undefined) return cached;
  const found = JSON.stringify(object.jsonSchema).matchAll(/"description":"((?:[^"\\]|\\.){1,500})/g);
  // Apart from each other, so that no text is found across two of them.
  const text = [...found].map(([, description]) => JSON.parse(`"${description}"`)).join("\n|\n");
  collected.set(object, text);
  return text;
}

const collected = new WeakMap<CompiledAnswerSchema, string>();
