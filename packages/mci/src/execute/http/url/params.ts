import type { StyleSettings } from "../../../schema/style.ts";
import { encodePairs } from "./query.ts";
import { checkExplodedKeys, pairsOf, readStyle } from "./styles.ts";

/** Parameters of a query or form as `name=value&…`; those without a style of their own as `encodePairs` does. */
export function encodeParams(
  values: Readonly<Record<string, unknown>>,
  styles: StyleSettings,
  /** Names that an object's keys must not take, besides those of `values`. */
  reserved: readonly string[] = [],
): string {
  const fallback = Object.hasOwn(styles, "*") ? styles["*"] : undefined;
  if (fallback === undefined && Object.keys(styles).length === 0) return encodePairs(values);
  const taken = new Set([...Object.keys(values), ...reserved]);
  const pairs = Object.entries(values).map(([name, value]) => {
    const setting = Object.hasOwn(styles, name) ? styles[name] : fallback;
    if (setting === undefined) return encodePairs({ [name]: value });
    const style = readStyle(setting, "form");
    checkExplodedKeys(name, value, style, taken);
    return pairsOf(name, value, style).join("&");
  });
  return pairs.filter((text) => text !== "").join("&");
}
