import { promises } from "node:fs";
import { join } from "node:path";
import { strictDecodeUri } from "@mci-ts/primitives/decode-uri";
import type { McpResource, McpResourceContents, McpSkill, McpSkillResource } from "../mcp/protocol.ts";
import { readFrontmatter } from "./frontmatter.ts";
import { mimeTypeOf } from "./mime-type.ts";
import { digestOf, readInside, walkFolder } from "./skill-files.ts";

/** What every host accepts. */
const SKILL_LIMITS = { files: 512, bytes: 16 * 1024 * 1024 };
/** Bytes of all skills of a folder. */
const MAX_TOTAL_BYTES = 256 * 1024 * 1024;
/** Milliseconds in which a folder is not looked at again. */
const MIN_INTERVAL_MS = 1000;

export interface FolderSkills {
  readonly skills: readonly McpSkill[];
  /** What is not served, and why. */
  readonly problems: readonly string[];
}

/** The skills in a folder: each folder in it that has a SKILL.md. Files are read to compute their digests, and again when asked for. */
export class SkillFolder {
  readonly #path: string;
  readonly #digests = new Map<string, { readonly stamp: string; readonly digest: string }>();
  #latest: Promise<FolderSkills> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(path: string) {
    this.#path = path;
  }

  /** As the folder is now. */
  list(): Promise<FolderSkills> {
    if (this.#latest === undefined || performance.now() - this.#readAt > MIN_INTERVAL_MS) {
      this.#readAt = performance.now();
      this.#latest = this.#scan();
    }
    return this.#latest;
  }

  /** Undefined if no skill has such a file. */
  async read(uri: string): Promise<McpResourceContents | undefined> {
    const { skills } = await this.list();
    const listed = findFile(skills, uri);
    const path = pathOf(uri);
    if (listed === undefined || path === undefined) return undefined;
    const root = await promises.realpath(this.#path);
    const bytes = await readInside(root, path, SKILL_LIMITS.bytes);
    // Clients compare it with what was listed.
    if (digestOf(bytes) !== listed.digest) this.#readAt = Number.NEGATIVE_INFINITY;
    const mimeType = mimeTypeOf(path);
    const text = decoded(bytes);
    const content = text === undefined ? { blob: bytes.toString("base64") } : { text };
    return { contents: [{ uri, mimeType, ...content }] };
  }

  async #scan(): Promise<FolderSkills> {
    const problems: string[] = [];
    try {
      const stat = await promises.lstat(this.#path);
      if (stat.isSymbolicLink())
        return { skills: [], problems: ["the folder 'skills' is a symbolic link, and is not served"] };
      if (!stat.isDirectory()) return { skills: [], problems: [] };
      const root = await promises.realpath(this.#path);
      const { files, special, isCut } = await walkFolder(root);
      if (isCut)
        problems.push(
          "the folder 'skills' has more files or levels than are looked at; the rest is not served",
        );
      const skills: McpSkill[] = [];
      let left = MAX_TOTAL_BYTES;
      for (const { path } of files.filter(({ path }) => /(^|\/)SKILL\.md$/.test(path))) {
        const folder = path.slice(0, -"/SKILL.md".length);
        const inside = (file: string) => file.startsWith(`${folder}/`);
        const own = files.filter(({ path: file }) => inside(file));
        const bytes = own.reduce((sum, { size }) => sum + size, 0);
        left -= bytes;
        const problem = isCut
          ? "it may not be complete"
          : problemOf({ path, files: own.length, bytes, left, special: special.find(inside) });
        const skill =
          problem ?? (await this.#skill(root, folder, own).catch((error: Error) => error.message));
        if (typeof skill === "string") problems.push(`the skill in skills/${folder} is not served: ${skill}`);
        else skills.push(skill);
      }
      return { skills, problems };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") return { skills: [], problems: [] };
      return { skills: [], problems: [`the folder 'skills' cannot be read: ${message}`] };
    }
  }

  async #skill(root: string, folder: string, files: readonly { readonly path: string }[]): Promise<McpSkill> {
    const manifest = await readInside(root, `${folder}/SKILL.md`, SKILL_LIMITS.bytes);
    const text = decoded(manifest);
    if (text === undefined) throw new Error("its SKILL.md is not UTF-8");
    const frontmatter = readFrontmatter(text);
    const name = folder.slice(folder.lastIndexOf("/") + 1);
    if (frontmatter.name !== name)
      throw new Error(`its name is '${frontmatter.name}', and must be that of its folder, '${name}'`);
    const resources: McpSkillResource[] = [];
    for (const { path } of files) {
      const { digest, size } = await this.#digest(root, path);
      resources.push({ uri: uriOf(path), digest, size });
    }
    // The text above and the digest are of the same bytes.
    if (resources.find(({ uri }) => uri === uriOf(`${folder}/SKILL.md`))?.digest !== digestOf(manifest))
      throw new Error("it changed while it was read");
    return { uri: uriOf(`${folder}/SKILL.md`), frontmatter, resources };
  }

  /** A file that was not touched has the digest that it had. */
  async #digest(root: string, path: string): Promise<{ digest: string; size: number }> {
    const { ino, size, mtimeMs, ctimeMs } = await promises.lstat(join(root, path));
    const stamp = [ino, size, mtimeMs, ctimeMs].join();
    const known = this.#digests.get(path);
    if (known?.stamp === stamp) return { digest: known.digest, size };
    const bytes = await readInside(root, path, SKILL_LIMITS.bytes);
    const digest = digestOf(bytes);
    this.#digests.set(path, { stamp, digest });
    return { digest, size: bytes.length };
  }
}

interface Measured {
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
  /** Bytes that all skills may still have. */
  readonly left: number;
  /** Something in it that is not a file. */
  readonly special: string | undefined;
}

function problemOf({ path, files, bytes, left, special }: Measured): string | undefined {
  if (path === "SKILL.md") return "a skill needs a folder of its own, named as the skill";
  if (special !== undefined) return `it holds something that is not a regular file: ${special}`;
  if (files > SKILL_LIMITS.files) return `it has more than ${SKILL_LIMITS.files} files`;
  if (bytes > SKILL_LIMITS.bytes) return `its files have more than ${SKILL_LIMITS.bytes} bytes together`;
  return left < 0 ? `all skills together have more than ${MAX_TOTAL_BYTES} bytes` : undefined;
}

/** The SKILL.md files, as resources. */
export function skillResources(skills: readonly McpSkill[]): McpResource[] {
  return skills.map(({ uri, frontmatter: { name, description } }) => ({
    uri,
    name,
    description,
    mimeType: "text/markdown",
  }));
}

export function findFile(skills: readonly McpSkill[], uri: string): McpSkillResource | undefined {
  for (const { resources } of skills) {
    const found = resources === "dynamic" ? undefined : resources.find((file) => file.uri === uri);
    if (found !== undefined) return found;
  }
  return undefined;
}

function uriOf(path: string): string {
  return `skill://${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** Only of addresses that are in a list, so that it leads nowhere else. */
const pathOf = (uri: string): string | undefined => strictDecodeUri(uri.slice("skill://".length));

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
