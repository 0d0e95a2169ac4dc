import { isObject } from "@mci-ts/primitives/is-object";

type Type = "string" | "number" | "boolean" | "array" | "object" | "null";

/** What an input schema says about one property of a call. */
interface InputProperty {
  /** Without a value in some calls: neither required nor with a default. */
  readonly isOptional: boolean;
  /** Its only type; undefined where it may have several, or any. */
  readonly type?: Type;
}

/** What is known about a declared property; undefined for any other name. */
export type PropertyLookup = (name: string) => InputProperty | undefined;

export function propertyLookup(schema: unknown): PropertyLookup {
  const { properties, required } = isObject(schema) ? schema : {};
  return (name) => {
    if (!isObject(properties) || !Object.hasOwn(properties, name)) return undefined;
    const property = properties[name];
    if (!isObject(property)) return { isOptional: false };
    const isRequired = (Array.isArray(required) && required.includes(name)) || property.required === true;
    return { isOptional: !isRequired && !("default" in property), ...typeOf(property) };
  };
}

function typeOf({ type, nullable }: Record<string, unknown>): { type?: Type } {
  if (typeof type !== "string" || nullable === true) return {};
  return { type: (type === "integer" ? "number" : type) as Type };
}
