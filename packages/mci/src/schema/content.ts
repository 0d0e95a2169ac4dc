import * as z from "zod/mini";
import { execution } from "./execution.ts";
import {
  about,
  type DeepReadonly,
  label,
  lazily,
  list,
  optional,
  optionalFlag,
  optionalLabel,
  optionalText,
} from "./fields.ts";
import { displayFields } from "./icon.ts";

/** What a file offers MCP clients besides tools: prompts and resources. */

const promptArgument = () =>
  z.object({
    name: label("Name of the argument; {{props.NAME}} in the execution."),
    title: optionalText("Human-readable name."),
    description: optionalText("What to write there."),
    required: optionalFlag("Whether it must be given. Default false."),
  });

const promptSchema = lazily(() =>
  z
    .object({
      name: label("Unique name of the prompt."),
      title: optionalText("Human-readable name."),
      description: optionalText("What the prompt is for, for people who choose it."),
      arguments: optional(list(promptArgument(), "What people fill in. Every value is a text.")),
      execution,
      ...displayFields(),
    })
    .register(about, {
      id: "prompt",
      description: "A prompt that people choose in their MCP client. Its execution is of type text or file.",
      examples: [
        {
          name: "review",
          arguments: [{ name: "code", required: true }],
          execution: { type: "text", text: "Review this code:\n{{props.code}}" },
        },
      ],
    }),
);

const resourceSchema = lazily(() =>
  z
    .object({
      name: label("Name of the resource."),
      uri: optionalLabel("Its address, for clients; any scheme but http and https."),
      uriTemplate: optionalLabel(
        "Or a template of addresses, such as docs://{page} or files:///{+path}: each name is a property of the execution.",
      ),
      title: optionalText("Human-readable name."),
      description: optionalText("What the resource holds."),
      mimeType: optionalText("Its media type, where the execution does not say."),
      execution,
      ...displayFields(),
    })
    .register(about, {
      id: "resource",
      description: "Something to read for MCP clients. Its execution is of type text, file or http.",
      examples: [{ name: "manual", uri: "docs://manual", execution: { type: "file", path: "manual.md" } }],
    }),
);

/** They have names of their own, for the same reason as the schema of executions. */
export interface ParsedPrompt extends z.output<typeof promptSchema> {}
export interface ParsedResource extends z.output<typeof resourceSchema> {}
export interface PromptSchema extends z.ZodMiniType<ParsedPrompt, z.input<typeof promptSchema>> {}
export interface ResourceSchema extends z.ZodMiniType<ParsedResource, z.input<typeof resourceSchema>> {}

export const prompt: PromptSchema = promptSchema;
export const resource: ResourceSchema = resourceSchema;

export type Prompt = DeepReadonly<ParsedPrompt>;
export type Resource = DeepReadonly<ParsedResource>;
