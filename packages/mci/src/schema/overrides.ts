import * as z from "zod/mini";
import { annotations } from "./annotations.ts";
import {
  about,
  type DeepReadonly,
  lazily,
  map,
  optional,
  optionalFlag,
  optionalLabel,
  optionalText,
} from "./fields.ts";
import { pagination } from "./pagination.ts";
import { result } from "./result.ts";

const anyValue = (description: string) => z.optional(z.unknown().register(about, { description }));

const propertyOverride = () =>
  z
    .object({
      description: optionalText("The description of the property that models see."),
      default: anyValue("Used where the caller gives no value; the property is then not required."),
      value: anyValue("Fixed: neither shown to callers nor accepted from them."),
      hidden: optionalFlag("The model does not see the property and cannot set it. Default false."),
    })
    .register(about, {
      description: "Changes of one property.",
    });

const overrideFields = () =>
  z
    .object({
      name: optionalLabel("Another name, without the prefix of the source."),
      description: optionalText("Another description."),
      disabled: optionalFlag("Leave the tool out."),
      annotations: optional(annotations),
      approve: optionalFlag("Ask a person before each call."),
      properties: optional(map(propertyOverride(), "Changes of properties, by name.")),
      result: optional(result),
      pagination: optional(pagination),
    })
    .register(about, { id: "override", description: "Changes of one tool of a toolset or an MCP server." });

/** Both have names of their own, for the same reason as the schema of executions. */
export interface ParsedOverride extends z.output<ReturnType<typeof overrideFields>> {}
export interface OverrideSchema
  extends z.ZodMiniType<ParsedOverride, z.input<ReturnType<typeof overrideFields>>> {}

const toolOverride = (): OverrideSchema => overrideFields();

export const overrides = lazily(() =>
  map(toolOverride(), "Changes of tools, by the name they have in their source."),
);

export type Overrides = DeepReadonly<z.output<typeof overrides>>;
export type ToolOverride = Overrides[string];
