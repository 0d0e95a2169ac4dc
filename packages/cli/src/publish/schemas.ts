import { CARD_SCHEMA, NAME_PATTERN } from "./card.ts";

/**
 * What a registry entry (`server.json`) and a server card may say: the constraints of the published schemas, without
 * their descriptions. A new version of one changes its address and its constraints here.
 */

/** Address of the schema of `server.json`; the newest that is released. */
export const SERVER_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const listOf = (items: object) => ({ type: "array", items });
const mapOf = (values: object) => ({ type: "object", additionalProperties: values });
const object = (required: readonly string[], properties: object) => ({
  type: "object",
  required,
  properties,
});

const inputFields = {
  choices: listOf(text),
  default: text,
  description: text,
  format: { type: "string", enum: ["string", "number", "boolean", "filepath"] },
  isRequired: flag,
  isSecret: flag,
  placeholder: text,
  value: text,
};
const input = object([], inputFields);
const withVariables = { ...inputFields, variables: mapOf(input) };
const keyValue = object(["name"], { ...withVariables, name: text });

const argument = {
  anyOf: [
    {
      ...object(["type"], {
        ...withVariables,
        type: { enum: ["positional"] },
        isRepeated: flag,
        valueHint: text,
      }),
      anyOf: [{ required: ["valueHint"] }, { required: ["value"] }],
    },
    object(["type", "name"], { ...withVariables, type: { enum: ["named"] }, isRepeated: flag, name: text }),
  ],
};

const stdio = object(["type"], { type: { enum: ["stdio"] } });
const address = (type: string) =>
  object(["type", "url"], {
    type: { enum: [type] },
    url: { type: "string", format: "uri-template" },
    headers: listOf(keyValue),
  });

const packageEntry = object(["registryType", "identifier", "transport"], {
  environmentVariables: listOf(keyValue),
  fileSha256: { type: "string", pattern: "^[a-f0-9]{64}$" },
  identifier: text,
  packageArguments: listOf(argument),
  registryBaseUrl: { type: "string", format: "uri" },
  registryType: text,
  runtimeArguments: listOf(argument),
  runtimeHint: text,
  transport: { anyOf: [stdio, address("streamable-http"), address("sse")] },
  version: { type: "string", minLength: 1, not: { const: "latest" } },
});

const remote = {
  allOf: [
    { anyOf: [address("streamable-http"), address("sse")] },
    { type: "object", properties: { variables: mapOf(input) } },
  ],
};

const icon = object(["src"], {
  mimeType: { enum: ["image/png", "image/jpeg", "image/jpg", "image/svg+xml", "image/webp"] },
  sizes: listOf({ type: "string", pattern: "^(\\d+x\\d+|any)$" }),
  src: { type: "string", format: "uri", maxLength: 255 },
  theme: { enum: ["light", "dark"] },
});

const repository = object(["url", "source"], {
  id: text,
  source: text,
  subfolder: text,
  url: { type: "string", format: "uri" },
});

const identity = {
  description: { type: "string", minLength: 1, maxLength: 100 },
  name: { type: "string", minLength: 3, maxLength: 200, pattern: NAME_PATTERN.source },
  repository,
  title: { type: "string", minLength: 1, maxLength: 100 },
  version: { type: "string", maxLength: 255 },
  websiteUrl: { type: "string", format: "uri" },
};

export const serverSchema = object(["name", "description", "version"], {
  ...identity,
  $schema: { type: "string", format: "uri" },
  _meta: object([], { "io.modelcontextprotocol.registry/publisher-provided": { type: "object" } }),
  icons: listOf(icon),
  packages: listOf(packageEntry),
  remotes: listOf(remote),
});

export const cardSchema = object(["$schema", "description", "name", "version"], {
  ...identity,
  $schema: { const: CARD_SCHEMA },
  _meta: { type: "object" },
  icons: listOf(
    object(["src"], {
      mimeType: text,
      sizes: listOf(text),
      src: { type: "string", format: "uri" },
      theme: { enum: ["light", "dark"] },
    }),
  ),
  remotes: listOf(
    object(["type", "url"], {
      headers: listOf(keyValue),
      supportedProtocolVersions: listOf(text),
      type: { enum: ["sse", "streamable-http"] },
      url: { type: "string", pattern: "^(https?://[^\\s]+|\\{[a-zA-Z_][a-zA-Z0-9_]*\\}[^\\s]*)$" },
      variables: mapOf(input),
    }),
  ),
});
