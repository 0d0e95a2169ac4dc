import { isObject } from "../../../../mci/src/is-object.ts";

/** Descriptions are texts, or objects with one. */
export function textOf(description: unknown): string | undefined {
  const text = isObject(description) ? description.content : description;
  return typeof text === "string" && text !== "" ? text : undefined;
}
