import { isObject } from "@mci-ts/primitives/is-object";

/** Plain data as a parser gives it. Nothing about it has been checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** An own field; inherited ones (`constructor`, `toString`) are not part of a document. */
export function field(object: unknown, name: string): unknown {
  return isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}

export function objectField(object: unknown, name: string): JsonObject {
  const value = field(object, name);
  return isObject(value) ? value : {};
}

export function listField(object: unknown, name: string): readonly unknown[] {
  const value = field(object, name);
  return Array.isArray(value) ? value : [];
}

/** A non-empty text. */
export function textField(object: unknown, name: string): string | undefined {
  const value = field(object, name);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
