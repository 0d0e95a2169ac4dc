import { isObject } from "@mci-ts/primitives/is-object";
import type { ListedSkill, McpSkill } from "../../mcp/protocol.ts";
import type { McpServer } from "../../schema/document.ts";
import type { Secrets } from "../../secrets.ts";
import type { LoadedSkill, SkillServer } from "./content.ts";
import { itemsOf, passesFor } from "./included.ts";

const SCHEME = "skill://";

export interface AppliedSkills {
  readonly skills: readonly LoadedSkill[];
  readonly skillServers: ReadonlyMap<string, SkillServer>;
  readonly notes: readonly string[];
}

/** The skills of a server that the file includes, under the addresses that the file gives. */
export function applyServerSkills(
  name: string,
  { prefix = "", skills: included = true }: McpServer,
  listed: readonly ListedSkill[] | undefined,
  secrets: Secrets,
): AppliedSkills {
  if (listed === undefined || included === false) return { skills: [], skillServers: new Map(), notes: [] };
  const segment = /^.*[A-Za-z0-9]/s.exec(prefix)?.[0] ?? "";
  const passes = passesFor(included);
  const checked = cleanSkills(listed, secrets);
  const valid = checked.filter((skill): skill is McpSkill => !("refused" in skill));
  const refused = checked.flatMap((skill) => ("refused" in skill ? [skill] : []));
  const roots = [SCHEME, ...valid.map(({ uri }) => uri.replace(/SKILL\.md$/, ""))];
  const isOpen = typeof included !== "object" || included.filter === "except";
  const excluded = typeof included === "object" ? itemsOf(included.filterValue) : [];
  return {
    skills: valid
      .filter(({ uri, frontmatter }) => passes(frontmatter.name, uri))
      .map((entry) => ({
        listed: renamed(entry, segment),
        source: { server: name, name: entry.uri },
        entry,
      })),
    skillServers: new Map([[name, { segment, isOpen, excluded, roots }]]),
    notes: refused.map(({ uri, refused: reason }) => `the skill ${uri} is left out: ${reason}`),
  };
}

/** A skill is passed on word for word or not at all: its files are compared with what its entry says. */
export function cleanSkills(listed: readonly ListedSkill[], secrets: Secrets): ListedSkill[] {
  if (secrets.values.length === 0) return [...listed];
  return listed.map((skill) => {
    const text = JSON.stringify(skill);
    if (secrets.mask(text) === text) return skill;
    return {
      uri: secrets.mask(skill.uri),
      refused: "it contains a value of env that was sent to the server",
    };
  });
}

/** The same skill with another first segment in its addresses, so that two servers can have one of the same name. */
export function renamed(skill: McpSkill, segment: string): McpSkill {
  const to = (uri: string) => addSegment(uri, segment);
  const { uri, frontmatter, resources } = skill;
  return {
    uri: to(uri),
    frontmatter,
    resources:
      resources === "dynamic" ? resources : resources.map((file) => ({ ...file, uri: to(file.uri) })),
  };
}

export function addSegment(uri: string, segment: string): string {
  return segment !== "" && uri.startsWith(SCHEME) ? `${SCHEME}${segment}/${uri.slice(SCHEME.length)}` : uri;
}

/** Undefined if it is not an address of this server. */
export function removeSegment(uri: string, segment: string): string | undefined {
  if (segment === "" || !uri.startsWith(SCHEME)) return uri;
  const start = `${SCHEME}${segment}/`;
  return uri.startsWith(start) ? SCHEME + uri.slice(start.length) : undefined;
}

/** A list from a cache file, which another program may have written. */
export function isSkillList(list: unknown): boolean {
  if (list === undefined) return true;
  return Array.isArray(list) && list.every(isEntry);
}

function isEntry(item: unknown): boolean {
  if (!isObject(item) || typeof item["uri"] !== "string") return false;
  if (typeof item["refused"] === "string") return true;
  const { frontmatter, resources } = item;
  return (
    isObject(frontmatter) &&
    typeof frontmatter["name"] === "string" &&
    typeof frontmatter["description"] === "string" &&
    (resources === "dynamic" ||
      (Array.isArray(resources) &&
        resources.every(
          (file) =>
            isObject(file) &&
            typeof file["uri"] === "string" &&
            /^sha256:[0-9a-f]{64}$/.test(String(file["digest"])) &&
            Number.isInteger(file["size"]),
        )))
  );
}
