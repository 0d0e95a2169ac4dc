import * as z from "zod/mini";
import { about, type DeepReadonly, limit, optional, optionalLabel } from "./fields.ts";

/** What of a result the caller gets. */
export const result = z
  .object({
    select: optionalLabel("JMESPath expression: the part of a JSON result that the caller gets."),
    maxChars: optional(limit("Characters of the result; what is cut says how much is missing.")),
    maxItems: optional(limit("Items of every list in the result.")),
    format: optional(
      z.enum(["text", "structured", "both"]).register(about, {
        description:
          "How 'mci run' sends a JSON result: as text, as structured content, or as both. Default both.",
      }),
    ),
  })
  .register(about, {
    id: "result",
    description: "What of the result the caller gets.",
    examples: [{ select: "items[].{id: id, title: title}", maxItems: 20 }],
  });

export type ResultSettings = DeepReadonly<z.output<typeof result>>;
