import { type Client, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/client";
import { SkillsClient, SkillVerificationError } from "@modelcontextprotocol/client/ext/skills";
import { parseFrontmatter } from "../../skills/frontmatter.ts";
import type { RequestOptions, ServerSkills, SkillContent } from "../connection.ts";
import { McpError } from "../errors.ts";
import type { ListedSkill, McpResource, McpSkill } from "../protocol.ts";

type Run = <T>(options: RequestOptions, work: (request: Request) => Promise<T>) => Promise<T>;

interface Request {
  readonly signal: AbortSignal;
  readonly timeout: number;
}

/** The skills of a session. `run` bounds a request and names its failures. Undefined if the server has none. */
export function openSkills(client: Client, run: Run): ServerSkills | undefined {
  const skills = new SkillsClient(client, { skipInvalid: true, parseFrontmatter });
  if (!skills.supported) return undefined;
  return {
    list: (options) =>
      run(options, async (request): Promise<ListedSkill[]> => {
        const listing = await skills.list({}, request);
        const refused = listing.invalid.map(({ uri = "", reason }) => ({ uri, refused: reason }));
        return [...(listing.skills as McpSkill[]), ...refused];
      }),
    get: (uri, options) =>
      run(options, async (request) => {
        const { skill } = await skills.get(uri, request).catch(orNothing);
        return skill as McpSkill | undefined;
      }),
    read: (skill, uri, options) =>
      run(options, async (request): Promise<SkillContent> => {
        // Not from a cache: what is read now is what the entry says now.
        const file = skills.read(skill as never, uri, { ...request, cacheMode: "refresh" });
        return file.catch((error) => Promise.reject(verificationError(error)));
      }),
    directory: (uri, options) =>
      run(options, async (request) => {
        if (!skills.directoryRead) return undefined;
        const listed = await skills.readDirectory(uri, request).catch(orNothing);
        return "resources" in listed ? (listed.resources as unknown as McpResource[]) : undefined;
      }),
  };
}

function orNothing(error: unknown): { skill?: undefined } {
  if (error instanceof ProtocolError && error.code === ProtocolErrorCode.InvalidParams) return {};
  throw error;
}

function verificationError(error: unknown): unknown {
  if (!(error instanceof SkillVerificationError)) return error;
  return new McpError("skill_mismatch", error.message, { cause: error });
}
