import { isObject } from "@mci-ts/primitives/is-object";
import { referenced } from "./reference.ts";

type Schema = Record<string, unknown>;

/**
 * The same schema with an outermost object that says `type: object` and has `properties`, without a reference: clients drop
 * a tool's input where they do not find its properties there. Nothing else changes, so that no constraint is lost.
 */
export function objectRoot(schema: Readonly<Schema>): Schema {
  const root = inlineReference(schema);
  const properties = isObject(root["properties"]) ? root["properties"] : {};
  return { ...root, type: "object", properties };
}

/** What stands beside a reference counts as well. One that does not resolve, or leads to itself, stays. */
function inlineReference(schema: Readonly<Schema>): Schema {
  let root: Schema = schema;
  const followed = new Set<unknown>();
  while (typeof root["$ref"] === "string" && !followed.has(root["$ref"])) {
    followed.add(root["$ref"]);
    const target = referenced(schema, root["$ref"]);
    if (!isObject(target) || target === schema) return root;
    const { $ref: _, ...beside } = root;
    root = both(target, beside);
  }
  return root;
}

function both(target: Readonly<Schema>, beside: Readonly<Schema>): Schema {
  const merged: Schema = { ...target, ...beside };
  if (isObject(target["properties"]) && isObject(beside["properties"]))
    merged["properties"] = { ...target["properties"], ...beside["properties"] };
  if (Array.isArray(target["required"]) && Array.isArray(beside["required"]))
    merged["required"] = [...new Set([...target["required"], ...beside["required"]])];
  return merged;
}
