import * as z from "zod/mini";
import { about, type DeepReadonly, flag, list, optional, text } from "./fields.ts";

export const annotations = z
  .object({
    title: optional(text("Human-readable title.")),
    readOnlyHint: optional(flag("The tool changes nothing.")),
    destructiveHint: optional(flag("The tool may destroy something.")),
    idempotentHint: optional(flag("Repeating a call with the same arguments changes nothing more.")),
    openWorldHint: optional(flag("The tool interacts with external systems.")),
    audience: optional(list(z.enum(["user", "assistant"]), "Who the result is for.")),
  })
  .register(about, { id: "annotations", description: "Hints for agents and people; they enforce nothing." });

export type Annotations = DeepReadonly<z.output<typeof annotations>>;
