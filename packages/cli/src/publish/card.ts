import { isObject } from "@mci-ts/primitives/is-object";

/** Address of the schema of server cards (SEP-2127). */
export const CARD_SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";
/** Letters, digits, dots and dashes, a slash, and the name: reverse DNS. */
export const NAME_PATTERN = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;

/** Who serves, as the file says. */
export interface Identity {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly version?: string | undefined;
}

/** The versions of MCP that `mci run` speaks, newest first. */
export const PROTOCOL_VERSIONS = [
  "2026-07-28",
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];

/** Cards have this media type, wherever they are. */
export const CARD_TYPE = "application/mcp-server-card+json";
export const CATALOG_TYPE = "application/ai-catalog+json";

export interface CardOptions {
  /** Where clients connect. */
  readonly url: string;
  /** Whether they must send a token. */
  readonly needsToken: boolean;
  /** Further fields of a registry entry: title, icons, repository, websiteUrl. Default: none. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/**
 * The server card (SEP-2127): what a client knows before it connects. Undefined where the file's metadata is not enough:
 * a file that calls itself by a name in reverse DNS wants to be found, any other stays unknown.
 */
export function serverCard({ name, description, version }: Identity, options: CardOptions) {
  if (name === undefined || !NAME_PATTERN.test(name) || name.length > 200) return undefined;
  if (description === undefined || description === "" || description.length > 100) return undefined;
  if (version === undefined) return undefined;
  const { url, needsToken, more = {} } = options;
  return {
    $schema: CARD_SCHEMA,
    name,
    ...pick(more, ["title"]),
    description,
    version,
    ...pick(more, ["websiteUrl", "repository", "icons"]),
    remotes: [
      {
        type: "streamable-http",
        url,
        ...(needsToken ? { headers: [TOKEN_HEADER] } : {}),
        supportedProtocolVersions: PROTOCOL_VERSIONS,
      },
    ],
  };
}

/** The header that clients send where a token is needed. */
export const TOKEN_HEADER = {
  name: "Authorization",
  description: "Bearer token of the server",
  isRequired: true,
  isSecret: true,
  value: "Bearer {token}",
  variables: { token: { description: "The token", isRequired: true, isSecret: true } },
};

/** The catalogue of a host with this one card. */
export function aiCatalog(name: string, cardUrl: string) {
  const [namespace = "", server = ""] = name.split("/");
  const publisher = namespace.split(".").reverse().join(".");
  return {
    specVersion: "1.0",
    entries: [{ identifier: `urn:air:${publisher}:mcp:${server}`, type: CARD_TYPE, url: cardUrl }],
  };
}

function pick(fields: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.flatMap((key) => (fields[key] === undefined ? [] : [[key, fields[key]]])));
}

/** The metadata of a file, as far as it is text. */
export function identityOf(metadata: unknown): Identity {
  const fields = isObject(metadata) ? metadata : {};
  const textOf = (key: string) => (typeof fields[key] === "string" ? fields[key] : undefined);
  return { name: textOf("name"), description: textOf("description"), version: textOf("version") };
}
