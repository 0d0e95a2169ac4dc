import type { Completion, CompletionContext, CompletionSource } from "@codemirror/autocomplete";
import schema from "../../../../mci/mci.schema.json";
import { placeAt } from "./place-at.ts";
import { type JsonSchema, propertiesAt, valuesAt } from "./schema-at.ts";

/** Offers what the format allows at the cursor: keys with their descriptions, and values of enumerations. */
export function completeFromSchema(language: "json" | "yaml"): CompletionSource {
  return (context: CompletionContext) => {
    const place = placeAt(context.state, context.pos, language);
    if (place === undefined) return null;
    const root = schema as unknown as JsonSchema;
    const quote = (text: string) => (language === "json" ? JSON.stringify(text) : text);
    const options: Completion[] =
      place.kind === "key"
        ? propertiesAt(root, place.path)
            .filter(({ name }) => !place.siblings.includes(name))
            .map(({ name, description, required }) => ({
              label: name,
              type: "property",
              apply: place.hasValue ? quote(name) : `${quote(name)}: `,
              ...(description === undefined ? {} : { info: description }),
              ...(required ? { detail: "required", boost: 1 } : {}),
            }))
        : valuesAt(root, place.path).map((value) => ({
            label: String(value),
            type: "constant",
            apply: typeof value === "string" ? quote(value) : String(value),
          }));
    if (options.length === 0) return null;
    // The label has no quotes, so what was typed is compared without its own.
    return { from: place.from, to: place.to, options: matching(options, place.typed), filter: false };
  };
}

function matching(options: readonly Completion[], typed: string): Completion[] {
  const text = typed.toLowerCase();
  return options.filter(({ label }) => label.toLowerCase().includes(text));
}
