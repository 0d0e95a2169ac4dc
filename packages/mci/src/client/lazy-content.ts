import { existsSync } from "node:fs";
import { MCIClientError } from "../errors.ts";
import type { Loaded } from "../load/loaded.ts";
import type { Content, RunOwn } from "./content.ts";
import { type ServerInstructions, toServerInstructions } from "./instructions.ts";
import type { ListChanges } from "./list-changes.ts";
import type { Skills } from "./skills.ts";

/** What a file and its servers offer besides tools, and what they change. Loaded with the first use: most files have tools only. */
export class LazyContent {
  #loaded: Loaded;
  readonly #runOwn: RunOwn;
  readonly #replaced: (loaded: Loaded) => void;
  #content: Promise<Content> | undefined;
  #changes: Promise<ListChanges> | undefined;
  #skills: Promise<Skills> | undefined;
  #isFolder: boolean | undefined;

  /** `replaced` is told of lists that a server has changed. */
  constructor(loaded: Loaded, runOwn: RunOwn, replaced: (loaded: Loaded) => void) {
    this.#loaded = loaded;
    this.#runOwn = runOwn;
    this.#replaced = replaced;
  }

  get offers(): { readonly resources: boolean; readonly prompts: boolean; readonly skills: boolean } {
    const {
      resources = [],
      templates = [],
      prompts = [],
      servers,
      promptServers,
      skillServers,
    } = this.#loaded.content ?? {};
    const hasSkills = (skillServers?.size ?? 0) > 0 || this.#hasFolder;
    return {
      resources: hasSkills || resources.length + templates.length + (servers?.size ?? 0) > 0,
      prompts: prompts.length + (promptServers?.size ?? 0) > 0,
      skills: hasSkills,
    };
  }

  instructions(): ServerInstructions[] {
    return this.#loaded.content?.instructions.map(toServerInstructions) ?? [];
  }

  /** Loaded where there is a folder or a server with skills. */
  skills(): Promise<Skills> | undefined {
    if (!this.offers.skills) return undefined;
    this.#skills ??= import("./skills.ts").then(({ Skills }) => new Skills(this.#loaded));
    return this.#skills;
  }

  /** Looked at once: a folder that comes later needs the file to be loaded again. */
  get #hasFolder(): boolean {
    const { skillsDir } = this.#loaded;
    this.#isFolder ??= skillsDir !== undefined && existsSync(skillsDir);
    return this.#isFolder;
  }

  /** Undefined if there can be none. */
  get(): Promise<Content> | undefined {
    if (this.#loaded.content === undefined) return undefined;
    this.#content ??= import("./content.ts").then(({ Content }) => new Content(this.#loaded, this.#runOwn));
    return this.#content;
  }

  async require(what: "resource" | "prompt", name: unknown): Promise<Content> {
    const content = await this.get();
    if (content !== undefined) return content;
    throw new MCIClientError(
      `${what}_not_found`,
      `There is no ${what} '${String(name)}': the file has none.`,
    );
  }

  /** What servers say of their lists and resources, followed from the first call on. */
  changes(): Promise<ListChanges> {
    this.#changes ??= import("./list-changes.ts").then(
      ({ ListChanges }) => new ListChanges(this.#loaded, (loaded) => this.#replace(loaded)),
    );
    return this.#changes;
  }

  /** Calls in flight end as they began. */
  async #replace(loaded: Loaded): Promise<void> {
    this.#loaded = loaded;
    this.#replaced(loaded);
    (await this.#content)?.replace(loaded);
    (await this.#skills)?.replace(loaded);
  }
}
