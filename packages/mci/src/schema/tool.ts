import * as z from "zod/mini";
import { annotations } from "./annotations.ts";
import { execution } from "./execution.ts";
import {
  about,
  type DeepReadonly,
  envAllowList,
  label,
  list,
  map,
  optional,
  optionalFlag,
  optionalLabel,
  optionalText,
} from "./fields.ts";
import { displayFields } from "./icon.ts";
import { result } from "./result.ts";

const verify = z
  .object({
    tool: label("A read-only tool that can tell whether the write took effect."),
    input: optional(
      map(
        label("Name of a property of this tool."),
        "Its input: for each of its properties a property of this tool.",
      ),
    ),
    done: label("JMESPath expression on its result: true if the write took effect, false if not."),
  })
  .register(about, { description: "How to learn, after a crash, whether a write took effect." });

/** How a write is kept from happening twice when a committed plan is resumed. */
const idempotency = z
  .object({
    header: optionalLabel("HTTP header for a key that the service recognizes when a request comes again."),
    verify: optional(verify),
  })
  .register(about, {
    id: "idempotency",
    description: "How a write is kept from happening twice when a plan is resumed after a crash.",
    examples: [{ header: "Idempotency-Key" }],
  });

const toolFields = z
  .object({
    name: label("Unique name of the tool."),
    title: optionalText("Alias of annotations.title."),
    description: optionalText("What the tool does, for the model that chooses it."),
    annotations: optional(annotations),
    inputSchema: optional(map(z.unknown(), "JSON Schema (2020-12 or draft-07) of the tool's properties.")),
    outputSchema: optional(
      map(
        z.unknown(),
        "JSON Schema of the structured content that the tool returns. For models and types; not checked.",
      ),
    ),
    execution,
    result: optional(result),
    idempotency: optional(idempotency),
    task: optional(
      z.union([z.boolean(), z.literal("required")]).register(about, {
        description:
          "Whether 'mci run' makes tasks of calls, for clients that support tasks: they fetch the result later. required: other clients cannot call it. Default: where timeout_ms is above 120000.",
      }),
    ),
    approve: optionalFlag(
      "Ask a person before each call, with its arguments. Default: 'mci run' asks for tools with destructiveHint, where its client can.",
    ),
    tags: optional(list(z.string(), "Labels to filter by; case-sensitive.")),
    disabled: optionalFlag("Ignore the tool, as if it did not exist. Default false."),
    enableAnyPaths: optionalFlag("Allow this tool to access any path. Default: the file's setting."),
    directoryAllowList: optional(
      list(z.string(), "Directories this tool may access; replaces the file's list."),
    ),
    envAllowList: envAllowList("this tool"),
    ...displayFields(),
  })
  .register(about, {
    id: "tool",
    description: "One tool: its name, its input and its execution.",
    examples: [
      {
        name: "greet",
        description: "Greets someone by name",
        inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
        execution: { type: "text", text: "Hello {{props.name}}!" },
      },
    ],
  });

interface ToolFields extends z.output<typeof toolFields> {}

const parsedTool = z.pipe(
  toolFields,
  z.transform((fields: ToolFields): Omit<ToolFields, "title"> => {
    if (fields.title === undefined) return fields;
    const { title, ...rest } = fields;
    return { ...rest, annotations: { ...rest.annotations, title: rest.annotations?.title ?? title } };
  }),
);

export interface ParsedTool extends z.output<typeof parsedTool> {}

/** It has a name for the same reason as the schema of executions. */
export interface ToolSchema extends z.ZodMiniType<ParsedTool, z.input<typeof parsedTool>> {}

export const tool: ToolSchema = parsedTool;

/** A tool as callers see it. */
export type Tool = DeepReadonly<ParsedTool> & {
  /** The toolset or MCP server it came from, as the file names it; undefined for tools of the file itself. */
  readonly toolsetSource?: string;
};
export type { Annotations } from "./annotations.ts";
