import type { Completion, CompletionContext, CompletionSource } from "@codemirror/autocomplete";
import schema from "mci-ts/schema.json";
import { cursorContext } from "./cursor-context.ts";
import { type JsonSchema, propertiesAt, valuesAt } from "./schema-at.ts";

/** Offers what the format allows at the cursor: keys with their descriptions, and values of enumerations. */
export function completeFromSchema(language: "json" | "yaml"): CompletionSource {
  return (context: CompletionContext) => {
    const cursor = cursorContext(context.state, context.pos, language);
    if (cursor === undefined) return null;
    const root = schema as unknown as JsonSchema;
    const quote = (text: string) => (language === "json" ? JSON.stringify(text) : text);
    const options: Completion[] =
      cursor.kind === "key"
        ? propertiesAt(root, cursor.path)
            .filter(({ name }) => !cursor.siblings.includes(name))
            .map(({ name, description, required }) => ({
              label: name,
              type: "property",
              apply: cursor.hasValue ? quote(name) : `${quote(name)}: `,
              ...(description === undefined ? {} : { info: description }),
              ...(required ? { detail: "required", boost: 1 } : {}),
            }))
        : valuesAt(root, cursor.path).map((value) => ({
            label: String(value),
            type: "constant",
            apply: typeof value === "string" ? quote(value) : String(value),
          }));
    if (options.length === 0) return null;
    // The label has no quotes, so what was typed is compared without its own.
    return { from: cursor.from, to: cursor.to, options: matching(options, cursor.typed), filter: false };
  };
}

function matching(options: readonly Completion[], typed: string): Completion[] {
  const text = typed.toLowerCase();
  return options.filter(({ label }) => label.toLowerCase().includes(text));
}
