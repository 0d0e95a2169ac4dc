import { MCIClientError } from "../errors.ts";
import type {
  McpCompletion,
  McpPrompt,
  McpPromptMessages,
  McpResource,
  McpResourceContents,
  McpResourceTemplate,
  McpSkill,
} from "../mcp/protocol.ts";
import { copyData } from "../schema/json-schema/object-schemas.ts";
import type { SkillsOptions } from "./client-options.ts";
import type { CompletionTarget, Content, ContentOptions, InputNeeded } from "./content.ts";
import type { ServerInstructions } from "./instructions.ts";
import type { LazyContent } from "./lazy-content.ts";
import type { ListChanges, OnChange } from "./list-changes.ts";
import type { SkillOptions, Skills } from "./skills.ts";

export interface SourceOptions {
  /** Only of this source: `main` is the file itself, `mcp:NAME` one of its servers. Default: each name or address once. */
  readonly source?: string;
}

/** How many a source has of each kind. */
export interface ContentCounts {
  readonly resources: number;
  readonly resourceTemplates: number;
  readonly prompts: number;
  readonly skills: number;
}

const NOTHING = { resources: 0, resourceTemplates: 0, prompts: 0 };

/** The half of a client that is not about tools: resources, prompts, skills, and what servers say about changes. */
export abstract class ContentClient {
  readonly #content: LazyContent;
  readonly #checkUsable: () => void;

  constructor(content: LazyContent, checkUsable: () => void) {
    this.#content = content;
    this.#checkUsable = checkUsable;
  }

  /** What MCP clients may read: resources of the file and of its servers. Copies that may be changed. */
  async resources({ source }: SourceOptions = {}): Promise<McpResource[]> {
    const listed = (await this.#content.get())?.resources(source) ?? [];
    // Who asks for one source sees its skills as skills.
    const ofSkills = source === undefined ? await (await this.#content.skills())?.resources() : undefined;
    return [...listed, ...(ofSkills ?? [])];
  }

  /** Templates of the addresses of further resources. */
  async resourceTemplates({ source }: SourceOptions = {}): Promise<McpResourceTemplate[]> {
    return (await this.#content.get())?.templates(source) ?? [];
  }

  /** Prompts of the file and of its servers. */
  async prompts({ source }: SourceOptions = {}): Promise<McpPrompt[]> {
    return (await this.#content.get())?.prompts(source) ?? [];
  }

  /** How much a source offers besides tools: `main` is the file itself, `mcp:NAME` one of its servers. */
  async contentCounts(source: string): Promise<ContentCounts> {
    const counts = (await this.#content.get())?.counts(source) ?? NOTHING;
    const skills = await (await this.#content.skills())?.list(undefined, source);
    return { ...counts, skills: skills?.length ?? 0 };
  }

  /** What MCP servers say to the model about how to use them; with a lock, only what was locked. */
  instructions(): ServerInstructions[] {
    return this.#content.instructions();
  }

  /**
   * Skills of the folder beside the file and of its servers: their names, descriptions, files and digests. No file of a server
   * is fetched for it.
   */
  async skills({ onWarning, source }: SkillsOptions = {}): Promise<McpSkill[]> {
    return copyData((await (await this.#content.skills())?.list(onWarning, source)) ?? []);
  }

  /** The entry of one skill, by the address of its SKILL.md; also of one that its server does not list. */
  async getSkill(uri: string, options: SkillOptions = {}): Promise<McpSkill> {
    const skill = await (await this.#usableSkills())?.get(String(uri), options);
    if (skill === undefined) throw new MCIClientError("resource_not_found", `There is no skill '${uri}'.`);
    return copyData(skill);
  }

  /** What is in a folder of skills. Throws `MCIClientError` if there is no such folder. */
  async skillDirectory(uri: string, options: SkillOptions = {}): Promise<McpResource[]> {
    const children = await (await this.#usableSkills())?.directory(String(uri), options);
    if (children === undefined)
      throw new MCIClientError("resource_not_found", `There is no folder of skills '${uri}'.`);
    return children;
  }

  /** Whether there can be resources, prompts or skills: the file has some, or has servers that offer them. */
  get offers(): { readonly resources: boolean; readonly prompts: boolean; readonly skills: boolean } {
    return this.#content.offers;
  }

  /** Reads a resource; a file of a skill is compared with its digest. Throws `MCIClientError`. */
  async readResource(uri: string, options: ContentOptions = {}): Promise<McpResourceContents | InputNeeded> {
    const file = await (await this.#usableSkills())?.read(String(uri), options);
    return file ?? (await this.#usableContent("resource", uri)).read(String(uri), options);
  }

  /** A prompt with its arguments filled in. Throws `MCIClientError`. */
  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options: ContentOptions = {},
  ): Promise<McpPromptMessages | InputNeeded> {
    return (await this.#usableContent("prompt", name)).prompt(String(name), args, options);
  }

  /** What the server of a prompt or resource template proposes for an argument. Throws `MCIClientError`. */
  async complete(
    target: CompletionTarget,
    argument: { readonly name: string; readonly value: string },
    options: ContentOptions & { readonly given?: Readonly<Record<string, string>> } = {},
  ): Promise<McpCompletion> {
    const { given, ...request } = options;
    const name = "prompt" in target ? target.prompt : target.resourceTemplate;
    const content = await this.#usableContent("prompt" in target ? "prompt" : "resource", name);
    return content.complete(target, argument, given, request);
  }

  /**
   * Tells when an MCP server has changed one of its lists, after the new one is loaded, or a resource that is watched. Only of
   * servers that have a session. Returns what ends it.
   */
  async onChange(listener: OnChange): Promise<() => void> {
    return (await this.#content.changes()).add(listener);
  }

  /** Asks the server of each resource to tell of its changes; those that are not named any more are not watched any more. */
  async watchResources(uris: readonly string[]): Promise<void> {
    const content = await this.#content.get();
    await (await this.#content.changes()).watchResources(uris, (uri) => content?.serverOf(uri));
  }

  protected listChanges(): Promise<ListChanges> {
    return this.#content.changes();
  }

  async #usableSkills(): Promise<Skills | undefined> {
    this.#checkUsable();
    return this.#content.skills();
  }

  async #usableContent(what: "resource" | "prompt", name: unknown): Promise<Content> {
    this.#checkUsable();
    return this.#content.require(what, name);
  }
}
