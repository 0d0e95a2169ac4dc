import { isObject } from "@mci-ts/primitives/is-object";
import * as z from "zod/mini";
import { document } from "../../schema/document.ts";
import type { JsonPath } from "../../template-api.ts";
import type { Diagnostic } from "../diagnostics.ts";
import { didYouMean } from "./messages.ts";
import { unionBranch } from "./union-branch.ts";

/**
 * Unknown keys, each with the most similar known key. Free-form objects (inputSchema, params, body content, headers,
 * env) have no unknown keys.
 */
export function unknownKeys(data: unknown, severity: Diagnostic["severity"]): Diagnostic[] {
  return [...search(document, data, []).take(MAX_UNKNOWN_KEYS)].map(
    ({ place, key, known }): Diagnostic => ({
      place: [...place, key],
      atKey: true,
      severity,
      message: `Unknown key '${key}'`,
      hint: didYouMean(key, known) ?? "it is ignored",
    }),
  );
}

/** Further unknown keys are not listed: a file with more has another problem. */
const MAX_UNKNOWN_KEYS = 1000;

type Unknown = { place: JsonPath; key: string; known: string[] };

function* search(schema: z.core.SomeType, value: unknown, place: JsonPath): Generator<Unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "optional":
    case "nullable":
      yield* search(def.innerType, value, place);
      break;
    case "lazy":
      yield* search((schema as z.core.$ZodLazy)._zod.innerType, value, place);
      break;
    case "pipe":
      yield* search(def.in, value, place);
      break;
    case "array":
      for (const [index, item] of Array.isArray(value) ? value.entries() : []) {
        yield* search(def.element, item, [...place, index]);
      }
      break;
    case "record":
      for (const [key, item] of isObject(value) ? Object.entries(value) : []) {
        yield* search(def.valueType, item, [...place, key]);
      }
      break;
    case "union": {
      const branch = branchOf(schema as z.core.$ZodUnion, value, place);
      if (branch !== undefined) yield* search(branch, value, place);
      break;
    }
    case "object":
      for (const [key, item] of isObject(value) ? Object.entries(value) : []) {
        const field = Object.hasOwn(def.shape, key) ? def.shape[key] : undefined;
        if (field === undefined) yield { place, key, known: Object.keys(def.shape) };
        else yield* search(field, item, [...place, key]);
      }
      break;
    default:
  }
}

function branchOf(union: z.core.$ZodUnion, value: unknown, place: JsonPath): z.core.SomeType | undefined {
  const { def } = union._zod;
  if (!("discriminator" in def)) return def.options[unionBranch(place, value) ?? -1];
  return isObject(value)
    ? z.getDiscriminatedOption(union as z.core.$ZodDiscriminatedUnion, value.type as never)
    : undefined;
}
