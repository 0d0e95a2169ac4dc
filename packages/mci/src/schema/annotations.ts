import * as z from "zod/mini";
import { about, type DeepReadonly, list, optional, optionalFlag, optionalText } from "./fields.ts";

export const annotations = z
  .object({
    title: optionalText("Human-readable title."),
    readOnlyHint: optionalFlag("The tool changes nothing."),
    destructiveHint: optionalFlag("The tool may destroy something."),
    idempotentHint: optionalFlag("Repeating a call with the same arguments changes nothing more."),
    openWorldHint: optionalFlag("The tool interacts with external systems."),
    audience: optional(list(z.enum(["user", "assistant"]), "Who the result is for.")),
  })
  .register(about, { id: "annotations", description: "Hints for agents and people; they enforce nothing." });

export type Annotations = DeepReadonly<z.output<typeof annotations>>;
