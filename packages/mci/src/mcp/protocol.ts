/**
 * A tool and a result as the protocol defines them. Written out: the SDK infers its types from schemas, and to read those takes
 * a compiler longer than all types of this library, in every program that imports it.
 */
export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly icons?: readonly McpIcon[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface McpIcon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
  readonly theme?: "light" | "dark";
}

/** What servers list besides tools. */
export interface McpListed {
  readonly resources: McpResource;
  readonly resourceTemplates: McpResourceTemplate;
  readonly prompts: McpPrompt;
  readonly skills: ListedSkill;
}

export type McpListKind = keyof McpListed;

interface Listed {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: readonly McpIcon[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface McpResource extends Listed {
  readonly uri: string;
  readonly mimeType?: string;
  readonly size?: number;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

export interface McpResourceTemplate extends Listed {
  /** As in RFC 6570. */
  readonly uriTemplate: string;
  readonly mimeType?: string;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

export interface McpPrompt extends Listed {
  readonly arguments?: readonly {
    readonly name: string;
    readonly title?: string;
    readonly description?: string;
    readonly required?: boolean;
  }[];
}

/** A skill (SEP-2640): instructions for an agent, and the files that belong to them. */
export interface McpSkill {
  /** The address of its SKILL.md. */
  readonly uri: string;
  /** As SKILL.md says it. */
  readonly frontmatter: {
    readonly name: string;
    readonly description: string;
    readonly [key: string]: unknown;
  };
  /** Every file, SKILL.md included; `dynamic` where files have no fixed content. */
  readonly resources: readonly McpSkillResource[] | "dynamic";
}

/** An entry of a server's list that is not a skill, with the reason. */
interface RefusedSkill {
  readonly uri: string;
  readonly refused: string;
}

export type ListedSkill = McpSkill | RefusedSkill;

export interface McpSkillResource {
  readonly uri: string;
  /** `sha256:` and 64 hexadecimal digits, of the file's bytes. */
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
}

/** What a resource consists of. */
export interface McpResourceContents {
  readonly contents: readonly {
    readonly uri: string;
    readonly mimeType?: string;
    readonly text?: string;
    readonly blob?: string;
    readonly _meta?: Readonly<Record<string, unknown>>;
  }[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A prompt with its arguments filled in. */
export interface McpPromptMessages {
  readonly description?: string;
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly content: McpContent }[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface McpCompletion {
  readonly completion: {
    readonly values: readonly string[];
    readonly total?: number;
    readonly hasMore?: boolean;
  };
}

/** The same as `CallToolResult` of the SDK: one may be passed for the other. */
export interface McpResult {
  content: McpContent[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: { "io.modelcontextprotocol/serverInfo"?: ServerInfo; [key: string]: unknown };
  [key: string]: unknown;
}

type McpContent = TextContent | MediaContent | ResourceLink | EmbeddedResource;

interface TextContent extends ContentDetails {
  type: "text";
  text: string;
}

interface MediaContent extends ContentDetails {
  type: "image" | "audio";
  /** Encoded as Base64. */
  data: string;
  mimeType: string;
}

interface ResourceLink extends ContentDetails, Titled {
  type: "resource_link";
  uri: string;
  mimeType?: string;
  size?: number;
}

interface EmbeddedResource extends ContentDetails {
  type: "resource";
  resource: ResourceContents & ({ text: string } | { blob: string });
}

interface ResourceContents {
  uri: string;
  mimeType?: string;
  _meta?: Record<string, unknown>;
}

interface ContentDetails {
  annotations?: { audience?: ("user" | "assistant")[]; priority?: number; lastModified?: string };
  _meta?: Record<string, unknown>;
}

interface ServerInfo extends Titled {
  version: string;
  websiteUrl?: string;
}

interface Titled {
  name: string;
  title?: string;
  description?: string;
  icons?: { src: string; mimeType?: string; sizes?: string[]; theme?: "light" | "dark" }[];
}
