import * as z from "zod/mini";
import { templateEngine } from "./execution.ts";
import { count, flag, label, list, map, optional, scalarText, text } from "./fields.ts";
import { tool } from "./tool.ts";

const metadata = z
  .object({
    name: optional(scalarText("Name of the collection.")),
    description: optional(scalarText("What the collection is for.")),
    version: optional(scalarText("Version of the collection.")),
    license: optional(scalarText("Licence identifier, e.g. MIT.")),
    authors: optional(list(z.string(), "Author names.")),
  })
  .check(z.describe("About the collection; informational."));

const filter = {
  filter: optional(z.enum(["only", "except", "tags", "withoutTags"]).check(z.describe("Which tools to take."))),
  filterValue: optional(text("Names or tags, separated by commas.")),
};

const prefix = optional(label("Put before every tool name of this source, to keep two sources apart."));

const toolsetReference = z
  .pipe(
    z.union([
      label("Name of a toolset in libraryDir."),
      z.object({
        name: label("Name of a toolset in libraryDir."),
        ...filter,
        prefix,
        enableAnyPaths: optional(flag("Let the tools of this set reach any path.")),
        directoryAllowList: optional(list(z.string(), "Further directories the tools of this set may reach.")),
      }),
    ]),
    z.transform((reference) => (typeof reference === "string" ? { name: reference } : reference)),
  )
  .check(z.describe("A toolset: a file or a directory of files in libraryDir."));

const serverConfig = z.object({
  expDays: optional(count(1, "Days the list of tools is kept. Default 30.")),
  ...filter,
});

const serverCommon = {
  config: optional(serverConfig),
  prefix,
  timeout_ms: optional(count(0, "Deadline of one call in milliseconds. Default 60000.")),
};

const stdioServer = z.object({
  type: optional(z.literal("stdio")),
  command: label("The program to start."),
  args: optional(list(scalarText("One argument."), "Its arguments.")),
  env: optional(map(scalarText("Value."), "Environment variables for it.")),
  ...serverCommon,
});

const httpServer = z.object({
  type: optional(z.enum(["http", "sse", "streamable-http"]).check(z.describe("Default http; sse is the older transport."))),
  url: label("Address of the server."),
  headers: optional(map(scalarText("Value."), "Headers of every request.")),
  ...serverCommon,
});

export const mcpServer = z.union([stdioServer, httpServer]).check(z.describe("An MCP server: command, or url."));

export const document = z.object({
  $schema: optional(z.string()),
  schemaVersion: z.union([z.string(), z.number()]).check(z.describe("Version of the format: 1.0.")),
  metadata: optional(metadata),
  tools: optional(list(tool, "The tools of this file.")),
  toolsets: optional(list(toolsetReference, "Collections of tools to take in.")),
  mcp_servers: optional(map(mcpServer, "MCP servers whose tools to take in, by name.")),
  libraryDir: optional(text('Where toolsets are, relative to this file. Default "./mci".')),
  enableAnyPaths: optional(flag("Let tools reach any path. Default false.")),
  directoryAllowList: optional(list(z.string(), "Directories tools may reach besides this file's own.")),
  templateEngine: optional(templateEngine),
  expiresAt: optional(z.string().check(z.describe("For cached tool lists: the day they grow stale."))),
});

/** A checked document. */
export type Document = z.output<typeof document>;
export type ToolsetReference = NonNullable<Document["toolsets"]>[number];
export type McpServer = z.output<typeof mcpServer>;
export type StdioServer = z.output<typeof stdioServer>;
export type HttpServer = z.output<typeof httpServer>;
