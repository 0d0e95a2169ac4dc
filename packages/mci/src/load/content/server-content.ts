import { isObject } from "@mci-ts/primitives/is-object";
import type { McpServer } from "../../schema/document.ts";
import { Secrets } from "../../secrets.ts";
import { maskListed } from "../mcp/mask-tools.ts";
import type { LoadedContent, ServerContent } from "./content.ts";
import { type Included, itemsOf, passesFor } from "./included.ts";
import { cleanInstructions } from "./instructions.ts";
import { applyServerSkills, isSkillList } from "./server-skills.ts";

/** Entries of one list of a server; more are dropped, with a warning. */
const MAX_LISTED = 10_000;

export interface AppliedContent {
  readonly content: LoadedContent;
  /** What is missing, in sentences. */
  readonly notes: readonly string[];
}

/** Whether anything besides tools is wanted of a server. */
export function wantsContent({ resources, prompts, skills, instructions }: McpServer): boolean {
  return resources !== false || prompts !== false || skills !== false || instructions !== false;
}

/** The part of a server's lists that the file includes, under the names that the file gives. */
export function applyServerContent(
  name: string,
  server: McpServer,
  listed: ServerContent,
  secrets: Secrets,
): AppliedContent {
  const { prefix = "", resources: byResources = true, prompts: byPrompts = true } = server;
  const notes: string[] = [];
  const clean = <T extends { readonly name: string }>(kind: string, items: readonly T[]): readonly T[] => {
    const { tools: kept, leftOut } = maskListed(items.slice(0, MAX_LISTED), secrets);
    if (items.length > MAX_LISTED) notes.push(`only the first ${MAX_LISTED} ${kind} are included`);
    if (leftOut.length > 0)
      notes.push(
        `${kind} are left out, because their names contain a value of env that was sent to the server: ${leftOut.join(", ")}`,
      );
    return kept;
  };
  const passes = passesFor(byResources);
  const ofSkills = applyServerSkills(name, server, listed.skills?.slice(0, MAX_LISTED), secrets);
  notes.push(...ofSkills.notes);
  if ((listed.skills?.length ?? 0) > MAX_LISTED)
    notes.push(`only the first ${MAX_LISTED} skills are included`);
  const isOfSkills = (address: string) =>
    ofSkills.skillServers.get(name)?.roots.some((root) => address.startsWith(root)) === true;
  const resources = clean("resources", listed.resources ?? []).filter(
    ({ name, uri }) => passes(name, uri) && !isOfSkills(uri),
  );
  const templates = clean("resource templates", listed.resourceTemplates ?? []).filter(
    (template) => passes(template.name, template.uriTemplate) && !isOfSkills(template.uriTemplate),
  );
  const prompts = clean("prompts", listed.prompts ?? []).filter((prompt) =>
    passesFor(byPrompts)(prompt.name),
  );
  const source = (own: string) => ({ server: name, name: own });
  const text = server.instructions === false ? undefined : cleanInstructions(listed.instructions, secrets);
  return {
    content: {
      prompts: firstOf(prompts, (prompt) => prompt.name).map((prompt) => ({
        listed: { ...prompt, name: prefix + prompt.name },
        source: source(prompt.name),
      })),
      resources: firstOf(resources, ({ uri }) => uri).map((resource) => ({
        listed: { ...resource, name: prefix + resource.name },
        source: source(resource.name),
      })),
      templates: firstOf(templates, ({ uriTemplate }) => uriTemplate).map((template) => ({
        listed: { ...template, name: prefix + template.name },
        source: source(template.name),
      })),
      skills: ofSkills.skills,
      instructions: text === undefined ? [] : [{ listed: { text }, source: source(name), prefix }],
      skillServers: ofSkills.skillServers,
      open: openTo(name, byResources, listed),
      servers: new Set(byResources === false || listed.resources === undefined ? [] : [name]),
      promptServers: new Set(byPrompts === false || listed.prompts === undefined ? [] : [name]),
    },
    notes,
  };
}

/** The content of a server whose lists are not known. */
export function openContent(name: string, server: McpServer): LoadedContent {
  const none = { resources: [], resourceTemplates: [], prompts: [] };
  return applyServerContent(name, server, none, new Secrets()).content;
}

/** With "only", nothing but what is named. */
function openTo(name: string, included: Included, { resources }: ServerContent): LoadedContent["open"] {
  if (
    resources === undefined ||
    included === false ||
    (typeof included === "object" && included.filter === "only")
  )
    return new Map();
  const passes = passesFor(included);
  const named = typeof included === "object" ? itemsOf(included.filterValue) : [];
  const excluded = resources.filter(({ name, uri }) => !passes(name, uri)).map(({ uri }) => uri);
  return new Map([[name, new Set([...excluded, ...named])]]);
}

function firstOf<T>(all: readonly T[], keyOf: (item: T) => string): T[] {
  const seen = new Set<string>();
  return all.filter((item) => keyOf(item) !== "" && seen.size < seen.add(keyOf(item)).size);
}

/** Lists from a cache file, which another program may have written. Undefined if they are not there or not lists. */
export function readContent(data: unknown): ServerContent | undefined {
  if (!isObject(data)) return undefined;
  const { resources, resourceTemplates, prompts, skills, instructions } = data;
  const all = Object.entries({ resources, resourceTemplates, prompts, skills, instructions }).filter(
    ([, list]) => list !== undefined,
  );
  const isValid =
    (instructions === undefined || typeof instructions === "string") &&
    isList(resources, "uri") &&
    isList(resourceTemplates, "uriTemplate") &&
    isList(prompts, "name");
  return isValid && isSkillList(skills) ? (Object.fromEntries(all) as ServerContent) : undefined;
}

function isList(list: unknown, key: string): boolean {
  if (list === undefined) return true;
  return (
    Array.isArray(list) &&
    list.every((item) => isObject(item) && typeof item["name"] === "string" && typeof item[key] === "string")
  );
}
