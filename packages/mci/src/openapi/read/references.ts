import { isObject } from "@mci-ts/primitives/is-object";
import { field, type JsonObject } from "../json.ts";

export interface Target {
  readonly value: unknown;
  /** Where it stands, in one spelling: two references to one place have the same pointer. */
  readonly pointer: string;
}

/** A reference may lead to a reference; a document that goes on longer goes in circles. */
const MAX_HOPS = 50;

/** The places of one document. External references were turned into local ones before (`bundle`). */
export class References {
  readonly #document: JsonObject;
  #anchors: Map<string, Target> | undefined;
  /** References that were looked up and lead nowhere. */
  readonly unresolved = new Set<string>();

  constructor(document: JsonObject) {
    this.#document = document;
  }

  /** What a reference leads to in the end; undefined if it does not resolve, which is noted. */
  lookup(reference: string): Target | undefined {
    const target = this.find(reference);
    if (target === undefined) this.unresolved.add(reference);
    return target;
  }

  /** The same for what need not be a reference. */
  find(reference: string): Target | undefined {
    let target = this.#step(reference);
    for (let hops = 0; target !== undefined && hops < MAX_HOPS; hops++) {
      const next = onlyReference(target.value);
      if (next === undefined) return target;
      target = this.#step(next);
    }
    return undefined;
  }

  /** A parameter, body, response or path item: itself, or what it refers to, under the fields beside the reference. */
  resolve(value: unknown): JsonObject | undefined {
    if (!isObject(value)) return undefined;
    const reference = field(value, "$ref");
    if (typeof reference !== "string") return value;
    const target = this.lookup(reference)?.value;
    if (!isObject(target)) return undefined;
    const { $ref, ...beside } = value;
    if (typeof target.$ref === "string") return this.resolve({ ...target, ...beside });
    return Object.keys(beside).length === 0 ? target : { ...target, ...beside };
  }

  #step(reference: string): Target | undefined {
    if (reference === "#") return { value: this.#document, pointer: "#" };
    if (!reference.startsWith("#/")) return this.#anchor(reference);
    const steps = reference.slice(2).split("/").map(decodeStep);
    let value: unknown = this.#document;
    for (const step of steps) {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
      value = (value as Record<string, unknown>)[step];
    }
    return { value, pointer: `#/${steps.map(encodeStep).join("/")}` };
  }

  /** `#name` of a schema with `$anchor`, or the `$id` of one. */
  #anchor(reference: string): Target | undefined {
    this.#anchors ??= findAnchors(this.#document);
    return this.#anchors.get(reference);
  }
}

function onlyReference(value: unknown): string | undefined {
  if (!isObject(value) || typeof value.$ref !== "string") return undefined;
  return Object.keys(value).length === 1 ? value.$ref : undefined;
}

function decodeStep(step: string): string {
  let text = step;
  try {
    text = decodeURIComponent(step);
  } catch {
    // A stray percent sign stands for itself.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

export function encodeStep(step: string): string {
  return step.replaceAll("~", "~0").replaceAll("/", "~1");
}

function findAnchors(document: JsonObject): Map<string, Target> {
  const found = new Map<string, Target>();
  const pending: Target[] = [{ value: document, pointer: "#" }];
  const seen = new Set<unknown>();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, pointer } = next;
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    const { $anchor, $id } = value as JsonObject;
    if (typeof $anchor === "string") found.set(`#${$anchor}`, next);
    if (typeof $id === "string") found.set($id, next);
    for (const [key, item] of Object.entries(value))
      pending.push({ value: item, pointer: `${pointer}/${encodeStep(key)}` });
  }
  return found;
}
