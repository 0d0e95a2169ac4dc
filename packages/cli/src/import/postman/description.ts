import { isObject } from "@mci-ts/primitives/is-object";

/** Descriptions are texts, or objects with one. */
export function textOf(description: unknown): string | undefined {
  const text = isObject(description) ? description.content : description;
  return typeof text === "string" && text !== "" ? text : undefined;
}
