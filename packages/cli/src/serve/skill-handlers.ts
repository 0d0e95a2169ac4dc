import type { Server, ServerContext } from "@modelcontextprotocol/server";
import { paged, use } from "./content-handlers.ts";
import type { ReloadableClient } from "./reloadable-client.ts";
import { schemaOf } from "./standard-schema.ts";

/** The official extension (SEP-2640). */
export const SKILLS = "io.modelcontextprotocol/skills";

/** Lists of skills, and of the folders in them. Their files are resources. */
export function setSkillHandlers(server: Server, client: ReloadableClient): void {
  server.setRequestHandler("skills/list", { params: PAGE }, async ({ cursor }, context) => {
    const { items, ...page } = paged(await client.current.skills(), ({ uri }) => uri, cursor);
    return { skills: items, ...page, ...freshness(context) };
  });
  server.setRequestHandler("skills/get", { params: ADDRESS }, async ({ uri }, context) => {
    const { signal } = context.mcpReq;
    const skill = await use(client, (current) => current.getSkill(uri, { signal }), uri);
    return { skill, ...freshness(context) };
  });
  server.setRequestHandler("resources/directory/read", { params: ADDRESS }, async (params, context) => {
    const { uri, cursor } = params;
    const { signal } = context.mcpReq;
    const children = await use(client, (current) => current.skillDirectory(uri, { signal }), uri);
    const { items, ...page } = paged(children, (child) => child.uri, cursor);
    return { resources: items, ...page, ...freshness(context) };
  });
}

/** Since 2026 a list says how long it may be kept: files can change at any time. */
function freshness({ mcpReq }: ServerContext): object {
  return mcpReq.envelope === undefined ? {} : { ttlMs: 0, cacheScope: "private" };
}

interface Page {
  readonly cursor?: string;
}

const PAGE = schemaOf<Page>(({ cursor }) => isOptionalText(cursor));
const ADDRESS = schemaOf<Page & { readonly uri: string }>(
  ({ uri, cursor }) => typeof uri === "string" && isOptionalText(cursor),
);

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}
