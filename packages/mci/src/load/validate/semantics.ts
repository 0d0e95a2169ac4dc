import { isObject } from "@mci-ts/primitives/is-object";
import { isTrue } from "../../schema/fields.ts";
import { FILTERS } from "../../schema/source.ts";
import type { JsonPath } from "../../template-api.ts";
import type { Diagnostic } from "../diagnostics.ts";
import { checkParameters } from "./parameters.ts";

export type FileKind = "entry" | "toolset";

/** Rules beyond the schema of the parts. Works on unvalidated data, so that all problems are found at once. */
export function checkSemantics(document: unknown, kind: FileKind): Diagnostic[] {
  if (!isObject(document)) return [];
  return [
    ...noTools(document, kind),
    ...duplicateNames(document.tools),
    ...checkParameters(document.tools),
    ...brokenFilters(document),
    ...checkLogins(document.tools),
  ];
}

function noTools(document: Record<string, unknown>, kind: FileKind): Diagnostic[] {
  const sources =
    kind === "toolset" ? ["tools"] : ["tools", "toolsets", "mcp_servers", "prompts", "resources"];
  if (sources.some((key) => document[key] !== undefined && document[key] !== null)) return [];
  const message =
    kind === "toolset"
      ? "Missing required field 'tools': a toolset file has a list of tools"
      : "At least one of 'tools', 'toolsets' and 'mcp_servers' must be provided";
  const empty = sources.find((key) => document[key] === null);
  const hint =
    empty === undefined
      ? 'add a list of tools: "tools": []'
      : `'${empty}' has no value: in YAML, indent its items under it`;
  return [{ place: empty === undefined ? [] : [empty], severity: "error", message, hint }];
}

/** Disabled tools are ignored: their names are free. */
function duplicateNames(tools: unknown): Diagnostic[] {
  if (!Array.isArray(tools)) return [];
  const first = new Map<string, number>();
  const diagnostics: Diagnostic[] = [];
  for (const [index, tool] of tools.entries()) {
    if (!isObject(tool) || typeof tool.name !== "string" || isTrue(tool.disabled)) continue;
    const taken = first.get(tool.name);
    if (taken === undefined) first.set(tool.name, index);
    else {
      diagnostics.push({
        place: ["tools", index, "name"],
        severity: "error",
        message: `Duplicate tool name '${tool.name}'`,
        also: ["tools", taken, "name"],
        hint: "rename one of them, or set disabled: true on it",
      });
    }
  }
  return diagnostics;
}

function brokenFilters({ toolsets, mcp_servers: servers }: Record<string, unknown>): Diagnostic[] {
  const references = Array.isArray(toolsets)
    ? Array.from(toolsets, (reference: unknown, index) => ({ reference, place: ["toolsets", index] }))
    : [];
  const configs = isObject(servers)
    ? Object.entries(servers).map(([name, server]) => ({
        reference: isObject(server) ? server.config : undefined,
        place: ["mcp_servers", name, "config"],
      }))
    : [];
  return [...references, ...configs].flatMap(({ reference, place }) => filterWithoutValue(reference, place));
}

function filterWithoutValue(reference: unknown, place: JsonPath): Diagnostic[] {
  if (!isObject(reference)) return [];
  const { filter, filterValue } = reference;
  if (!FILTERS.includes(filter as never)) return [];
  const broken = (message: string): Diagnostic[] => [
    { place: [...place, "filter"], severity: "error", message },
  ];
  if (filterValue === undefined || filterValue === null) {
    return broken(`Filter type '${filter}' specified but filterValue is missing`);
  }
  const isEmpty =
    typeof filterValue === "string" && filterValue.split(",").every((item) => item.trim() === "");
  return isEmpty ? broken(`Filter value cannot be empty for filter type '${filter}'`) : [];
}

/** What each flow needs where the file names no issuer, whose metadata would say it. */
const ENDPOINTS: Readonly<Record<string, readonly string[]>> = {
  authorizationCode: ["authorizationUrl", "tokenUrl"],
  deviceCode: ["deviceAuthorizationUrl", "tokenUrl"],
};

/** A login needs to know where its person goes. */
function checkLogins(tools: unknown): Diagnostic[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool, index): Diagnostic[] => {
    const execution = isObject(tool) ? tool.execution : undefined;
    const auth = isObject(execution) ? execution.auth : undefined;
    if (!isObject(auth) || auth.type !== "oauth2" || typeof auth.flow !== "string") return [];
    const needed = Object.hasOwn(ENDPOINTS, auth.flow) ? ENDPOINTS[auth.flow]! : [];
    const isComplete = isSet(auth.issuer) || needed.every((name) => isSet(auth[name]));
    if (needed.length === 0 || isComplete) return [];
    const names = needed.map((name) => `'${name}'`).join(" and ");
    const message = `Flow ${auth.flow} needs 'issuer', or ${names}`;
    return [{ place: ["tools", index, "execution", "auth"], severity: "error", message }];
  });
}

const isSet = (value: unknown) => value !== undefined && value !== null;
