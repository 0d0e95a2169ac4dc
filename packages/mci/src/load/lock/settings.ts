import type { Document, McpServer, ToolsetReference } from "../../schema/document.ts";

/*
 * The settings beside a tool that change what its calls do, for the lock: every field but the ones named here, so that a
 * new field of the format counts without being added to a list.
 */

/** What a file says for all its tools: path rules, template engine, public variables. */
export function settingsOfFile(document: Document): object {
  const { $schema, schemaVersion, metadata, expiresAt, ...fields } = document;
  // Locked tool by tool, wherever they are found.
  const { tools, toolsets, mcp_servers, prompts, resources, skills, libraryDir, ...settings } = fields;
  return settings;
}

/** What an entry file allows the tools of a toolset. The other fields decide which tools there are, and what they say. */
export function settingsOfReference(reference: ToolsetReference): object {
  const { name, filter, filterValue, prefix, overrides, ...settings } = reference;
  return settings;
}

/** How a server is started or reached, as the file says it: values of `env` are not in it, only the places they go to. */
export function settingsOfServer(
  name: string,
  servers: Readonly<Record<string, McpServer>>,
): object | undefined {
  const server = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (server === undefined) return undefined;
  const { prefix, overrides, config = {}, resources, prompts, skills, instructions, ...start } = server;
  const { expDays, filter, filterValue, ...more } = config;
  return { ...start, config: more };
}
