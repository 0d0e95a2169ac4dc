import * as z from "zod/mini";
import { prompt, resource } from "./content.ts";
import { DEFAULT_LIBRARY_DIR } from "./defaults.ts";
import { templateEngine } from "./execution.ts";
import {
  about,
  type DeepReadonly,
  envAllowList,
  list,
  map,
  optional,
  optionalFlag,
  optionalScalarText,
  optionalText,
} from "./fields.ts";
import { mcpServer, toolsetReference } from "./source.ts";
import { tool } from "./tool.ts";

const metadata = z
  .object({
    name: optionalScalarText("Name of the collection."),
    description: optionalScalarText("What the collection is for."),
    version: optionalScalarText("Version of the collection."),
    license: optionalScalarText("Licence identifier, e.g. MIT."),
    authors: optional(list(z.string(), "Author names.")),
  })
  .register(about, { id: "metadata", description: "About the collection; informational." });

/** YAML and JSON parse an unquoted `1.0` as the number 1. */
const schemaVersion = z
  .pipe(
    z.union([z.string().check(z.regex(/^1\.0(\.\d+)?$/)), z.literal(1)]),
    z.transform((version) => (version === 1 ? "1.0" : version)),
  )
  .register(about, { description: "Version of the format: 1.0 or 1.0.N.", examples: ["1.0"] });

export const SUPPORTED_VERSIONS = "1.0, 1.0.N";

export const document = z
  .object({
    $schema: optionalText("Address of this JSON Schema, for editors."),
    schemaVersion,
    metadata: optional(metadata),
    tools: optional(list(tool, "The tools of this file.")),
    toolsets: optional(list(toolsetReference, "Collections of tools to include.")),
    mcp_servers: optional(map(mcpServer, "MCP servers whose tools to include, by name.")),
    prompts: optional(list(prompt, "Prompts of this file, for MCP clients.")),
    resources: optional(list(resource, "Resources of this file, for MCP clients.")),
    skills: optionalFlag(
      "Whether MCP clients get the skills in the folder 'skills' beside this file. Default true.",
    ),
    libraryDir: optionalText(`Where toolsets are, relative to this file. Default "${DEFAULT_LIBRARY_DIR}".`),
    enableAnyPaths: optionalFlag("Allow tools to access any path. Default false."),
    directoryAllowList: optional(
      list(z.string(), "Directories tools may access in addition to this file's own."),
    ),
    publicEnv: optional(
      list(
        z.string(),
        "Names of variables that are not secrets, such as base URLs: errors show their values.",
      ),
    ),
    envAllowList: envAllowList("this file and its toolsets"),
    templateEngine: optional(templateEngine),
    expiresAt: optionalText("For cached tool lists: the day they expire."),
  })
  .register(about, {
    title: "MCI file",
    description: "Tools for AI agents, as data (Model Context Interface, version 1.0).",
    examples: [
      {
        schemaVersion: "1.0",
        tools: [{ name: "greet", execution: { type: "text", text: "Hello {{props.name}}!" } }],
      },
    ],
  });

/** A checked document. */
export type Document = DeepReadonly<z.output<typeof document>>;
export type { McpServer, ToolsetReference } from "./source.ts";
