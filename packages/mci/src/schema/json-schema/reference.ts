import { decodeUri } from "@mci-ts/primitives/decode-uri";
import { isObject } from "@mci-ts/primitives/is-object";

/** What a reference inside a schema names: a pointer (`#/$defs/a`), an anchor (`#a`) or `#`. Others do not resolve. */
export function referenced(root: unknown, reference: string): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#")) return undefined;
  if (!reference.startsWith("#/")) return anchored(root, reference.slice(1));
  let found = root;
  for (const step of reference.slice(2).split("/")) {
    const key = decodeUri(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

/** Anchors stand in definitions, where all of them are looked for. */
function anchored(root: unknown, anchor: string): unknown {
  const definitions = isObject(root) ? { ...asMap(root["definitions"]), ...asMap(root["$defs"]) } : {};
  return Object.values(definitions).find((schema) => isObject(schema) && schema["$anchor"] === anchor);
}

function asMap(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
