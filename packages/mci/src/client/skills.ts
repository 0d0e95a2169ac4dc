import { MCIClientError, ToolError } from "../errors.ts";
import type { LoadedContent, LoadedSkill } from "../load/content/content.ts";
import { addSegment, removeSegment, renamed } from "../load/content/server-skills.ts";
import type { Loaded } from "../load/loaded.ts";
import { maskedError } from "../masked-error.ts";
import type { RequestOptions, ServerSkills } from "../mcp/connection.ts";
import { McpError } from "../mcp/errors.ts";
import type { McpResource, McpResourceContents, McpSkill } from "../mcp/protocol.ts";
import { childrenOf } from "../skills/directory.ts";
import { findFile, SkillFolder, skillResources } from "../skills/skill-folder.ts";
import { serverSecrets } from "./server-secrets.ts";

export interface SkillOptions {
  /** Cancels the request. */
  readonly signal?: AbortSignal;
  /** Only of this source, as for resources. Default: any. */
  readonly source?: string;
}

/** Skills that a server has and does not list, which were asked for. */
const MAX_FOUND = 1000;

/** The skills of a client: those in the folder beside the file, and those of its servers. */
export class Skills {
  readonly #folder: SkillFolder | undefined;
  #loaded: Loaded;
  /** By address: entries that are newer than the list, or not in it. */
  readonly #found = new Map<string, LoadedSkill>();

  constructor(loaded: Loaded) {
    this.#loaded = loaded;
    this.#folder = loaded.skillsDir === undefined ? undefined : new SkillFolder(loaded.skillsDir);
  }

  replace(loaded: Loaded): void {
    this.#loaded = loaded;
    this.#found.clear();
  }

  /** Each address once: of two skills at one address, the second is not offered. */
  async list(onWarning: (message: string) => void = () => {}, source?: string): Promise<McpSkill[]> {
    const own = isFrom(source) ? await this.#folder?.list() : undefined;
    for (const problem of own?.problems ?? []) onWarning(problem);
    const all = new Map<string, McpSkill>((own?.skills ?? []).map((skill) => [skill.uri, skill]));
    for (const {
      listed,
      source: { server },
    } of this.#ofServers(source)) {
      if (!all.has(listed.uri)) all.set(listed.uri, listed);
      else
        onWarning(
          `the skill ${listed.uri} of MCP server '${server}' is not offered: another skill has its address; ` +
            "give the server a prefix",
        );
    }
    return [...all.values()];
  }

  async resources(): Promise<McpResource[]> {
    return skillResources(await this.list());
  }

  /** Also of a skill that its server does not list. */
  async get(uri: string, options: SkillOptions = {}): Promise<McpSkill | undefined> {
    const own = (await this.#folder?.list())?.skills.find((skill) => skill.uri === uri);
    if (own !== undefined) return own;
    const known = this.#ofServers().find(({ listed }) => listed.uri === uri);
    if (known === undefined) return (await this.#findUnlisted(uri, options))?.listed;
    return (this.#content.isLocked ? known : await this.#refresh(known, options)).listed;
  }

  /** A file of a skill, compared with its entry. Undefined if no skill has it. */
  async read(uri: string, options: SkillOptions = {}): Promise<McpResourceContents | undefined> {
    const own = isFrom(options.source) ? await this.#folder?.read(uri) : undefined;
    if (own !== undefined) return own;
    const known = this.#ofServers(options.source).find(({ listed }) => hasFile(listed, uri));
    // A host may know a skill by its address alone.
    const skill = known ?? (uri.endsWith("/SKILL.md") ? await this.#findUnlisted(uri, options) : undefined);
    if (skill === undefined) return undefined;
    const contents = await this.#readFrom(skill, uri, options).catch(async (error) => {
      // A list may be days old. A lock is not a list.
      if (this.#content.isLocked || !isMismatch(error)) throw this.#failed(skill, uri, error);
      const current = await this.#refresh(skill, options);
      return this.#readFrom(current, uri, options).catch((again) => {
        throw this.#failed(skill, uri, again);
      });
    });
    return contents;
  }

  /** The children of a folder of skills. */
  async directory(uri: string, options: SkillOptions = {}): Promise<McpResource[] | undefined> {
    const dynamic = this.#ofServers().find(
      ({ listed }) => listed.resources === "dynamic" && isInside(rootOf(listed), uri),
    );
    if (dynamic === undefined) return childrenOf(await this.list(), uri);
    const { server } = dynamic.source;
    const { segment = "" } = this.#content.skillServers.get(server) ?? {};
    const folder = (removeSegment(uri, segment) ?? uri).replace(/(?<!\/)\/$/, "");
    const listed = await this.#use(server, options, (skills, request) => skills.directory(folder, request));
    return listed
      ?.filter((child) => isChild(folder, child.uri))
      .map((child) => ({ ...child, uri: addSegment(child.uri, segment) }));
  }

  get #content(): Pick<LoadedContent, "skills" | "skillServers" | "isLocked"> {
    return this.#loaded.content ?? { skills: [], skillServers: new Map() };
  }

  #ofServers(from?: string): LoadedSkill[] {
    return this.#all().filter(({ source }) => isFrom(from, source.server));
  }

  #all(): LoadedSkill[] {
    const listed = this.#content.skills.map((skill) => this.#found.get(skill.listed.uri) ?? skill);
    const addresses = new Set(listed.map((skill) => skill.listed.uri));
    return [...listed, ...[...this.#found.values()].filter((skill) => !addresses.has(skill.listed.uri))];
  }

  async #readFrom(skill: LoadedSkill, uri: string, options: SkillOptions): Promise<McpResourceContents> {
    const { server } = skill.source;
    const { segment = "" } = this.#content.skillServers.get(server) ?? {};
    const own = removeSegment(uri, segment) ?? uri;
    const file = await this.#use(server, options, (skills, request) =>
      skills.read(skill.entry, own, request),
    );
    if (file === undefined) throw new McpError("refused", "the server does not offer skills any more");
    const content =
      file.text === undefined ? { blob: Buffer.from(file.bytes).toString("base64") } : { text: file.text };
    return {
      contents: [{ uri, ...(file.mimeType !== undefined && { mimeType: file.mimeType }), ...content }],
    };
  }

  /** The entry as the server has it now; the known one if it cannot be had. */
  async #refresh(skill: LoadedSkill, options: SkillOptions): Promise<LoadedSkill> {
    const { server, name } = skill.source;
    const entry = await this.#use(server, options, (skills, request) => skills.get(name, request)).catch(
      () => undefined,
    );
    return entry?.uri === name ? this.#remember(server, entry) : skill;
  }

  async #findUnlisted(uri: string, options: SkillOptions): Promise<LoadedSkill | undefined> {
    if (this.#content.isLocked) return undefined;
    for (const [server, { segment, isOpen, excluded }] of this.#content.skillServers) {
      const own = removeSegment(uri, segment);
      const name = own?.split("/").at(-2) ?? "";
      if (!isFrom(options.source, server)) continue;
      if (!isOpen || own === undefined || excluded.includes(own) || excluded.includes(name)) continue;
      const entry = await this.#use(server, options, (skills, request) => skills.get(own, request)).catch(
        () => undefined,
      );
      if (entry?.uri === own) return this.#remember(server, entry);
    }
    return undefined;
  }

  /** Only under the address that was asked for: an entry for another spelling of it would take the place of another skill. */
  #remember(server: string, entry: McpSkill): LoadedSkill {
    const { segment = "" } = this.#content.skillServers.get(server) ?? {};
    const skill = { listed: renamed(entry, segment), source: { server, name: entry.uri }, entry };
    this.#found.delete(skill.listed.uri);
    this.#found.set(skill.listed.uri, skill);
    if (this.#found.size > MAX_FOUND) this.#found.delete(this.#found.keys().next().value!);
    return skill;
  }

  #use<T>(
    server: string,
    { signal }: SkillOptions,
    work: (skills: ServerSkills, options: RequestOptions) => Promise<T>,
  ): Promise<T | undefined> {
    return this.#loaded.mcp!.useSkills(server, signal === undefined ? {} : { signal }, work);
  }

  #failed({ source: { server } }: LoadedSkill, uri: string, error: unknown): unknown {
    if (!(error instanceof ToolError) && !(error instanceof McpError)) return error;
    const cause = maskedError(error, serverSecrets(this.#loaded, server));
    const code = isMismatch(error) ? "skill_mismatch" : "request_failed";
    return new MCIClientError(code, `Failed to read ${uri}: MCP server '${server}': ${cause.message}`, {
      cause,
    });
  }
}

/** `server`: undefined for the file itself. */
function isFrom(wanted: string | undefined, server?: string): boolean {
  return wanted === undefined || wanted === (server === undefined ? "main" : `mcp:${server}`);
}

function hasFile(skill: McpSkill, uri: string): boolean {
  if (skill.resources === "dynamic") return uri === skill.uri || isInside(rootOf(skill), uri);
  return findFile([skill], uri) !== undefined;
}

function rootOf({ uri }: McpSkill): string {
  return uri.slice(0, -"/SKILL.md".length);
}

function isInside(root: string, uri: string): boolean {
  return uri === root || uri.startsWith(`${root}/`);
}

/** Whether an address is that of a file or folder directly inside of a folder. */
function isChild(folder: string, uri: string): boolean {
  if (!uri.startsWith(`${folder}/`)) return false;
  const name = uri.slice(folder.length + 1);
  return /^[^/?#\\]+\/?$/.test(name) && !/^(?:\.|%2e){1,2}\/?$/i.test(name);
}

function isMismatch(error: unknown): boolean {
  const cause = error instanceof ToolError ? error.cause : error;
  return cause instanceof McpError && cause.kind === "skill_mismatch";
}
