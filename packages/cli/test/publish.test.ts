import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { CARD_SCHEMA, PROTOCOL_VERSIONS, serverCard } from "../src/publish/card.ts";
import { schemaErrors } from "../src/publish/check.ts";
import { registryProblems } from "../src/publish/registry-problems.ts";
import { cardSchema, SERVER_SCHEMA, serverSchema } from "../src/publish/schemas.ts";
import { mciHere } from "./in-process.ts";
import { folder } from "./mci.ts";

const metadata = { name: "io.github.ada/weather", description: "Weather of any city", version: "1.2.0" };
const FILE = {
  schemaVersion: "1.0",
  metadata,
  publicEnv: ["BASE_URL"],
  tools: [
    {
      name: "weather",
      execution: {
        type: "http",
        url: "{{env.BASE_URL}}/now",
        params: { units: "{{env.UNITS | 'metric'}}" },
        auth: { type: "bearer", token: "{{env.WEATHER_TOKEN}}" },
      },
    },
  ],
};
const readJson = (...path: string[]) => JSON.parse(readFileSync(join(...path), "utf8"));

test("[C-publish] writes an entry of a registry and a card from metadata and variables; both fit their schemas", async () => {
  const cwd = folder({ "mci.json": FILE, ".env": "WEATHER_TOKEN=s3cret\n" });
  const args = [
    "publish",
    "--check",
    "--package",
    "npm:@ada/weather@1.2.0",
    "--url",
    "https://w.example.com/mcp",
    "--bearer",
  ];
  const { code, stdout, stderr } = await mciHere(args, { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "Both fit their schemas.\n" });
  expect(stdout).toBe("Wrote server.json\nWrote server-card.json\n");
  const entry = readJson(cwd, "server.json");
  expect(entry).toMatchObject({ $schema: SERVER_SCHEMA, ...metadata });
  expect(entry.packages).toEqual([
    {
      registryType: "npm",
      identifier: "@ada/weather",
      version: "1.2.0",
      transport: { type: "stdio" },
      environmentVariables: [
        { name: "BASE_URL", description: "BASE_URL, used by main", isRequired: true },
        {
          name: "WEATHER_TOKEN",
          description: "WEATHER_TOKEN, used by main",
          isRequired: true,
          isSecret: true,
        },
        { name: "UNITS", isRequired: false },
      ],
    },
  ]);
  const card = readJson(cwd, "server-card.json");
  expect(card).toMatchObject({ $schema: CARD_SCHEMA, ...metadata });
  expect(card.remotes[0]).toMatchObject({
    url: "https://w.example.com/mcp",
    supportedProtocolVersions: PROTOCOL_VERSIONS,
  });
  expect(card.remotes[0].headers[0]).toMatchObject({ name: "Authorization", isSecret: true });
  expect(JSON.stringify([entry, card])).not.toContain("s3cret");
  expect((await mciHere(args, { cwd })).stdout).toBe(
    "server.json is up to date\nserver-card.json is up to date\n",
  );
});

test("[C-publish] what was written by hand stays; values of secrets do not", async () => {
  const repository = { url: "https://github.com/ada/weather", source: "github" };
  const environmentVariables = [{ name: "WEATHER_TOKEN", description: "From your account", default: "abc" }];
  const old = {
    repository,
    title: "Weather",
    packages: [
      {
        registryType: "npm",
        identifier: "w",
        version: "1.0.0",
        transport: { type: "stdio" },
        environmentVariables,
      },
    ],
  };
  const cwd = folder({ "mci.json": FILE, "server.json": old });
  expect((await mciHere(["publish", "--check"], { cwd })).code).toBe(0);
  const entry = readJson(cwd, "server.json");
  expect(entry).toMatchObject({ repository, title: "Weather", version: "1.2.0" });
  expect(entry.packages[0].environmentVariables).toContainEqual({
    name: "WEATHER_TOKEN",
    description: "From your account",
    isRequired: true,
    isSecret: true,
  });
});

test("[C-publish] what is missing is named at once, and is exit code 1; without --check nothing happens", async () => {
  const cwd = folder({
    "mci.json": {
      schemaVersion: "1.0",
      metadata: { description: "x".repeat(101), version: "^1.0.0" },
      tools: [],
    },
  });
  const { code, stderr } = await mciHere(
    ["publish", "--check", "--package", "npm:w", "--url", "http://localhost:3000/mcp"],
    { cwd },
  );
  expect(code).toBe(1);
  for (const part of [
    "'metadata.name' of the file is missing",
    "'description' is longer than 100",
    "'version' is a range",
    "'w' needs one exact version",
    "must be a public https://",
  ])
    expect(stderr).toContain(part);
  const empty = folder({ "mci.json": FILE });
  expect((await mciHere(["publish"], { cwd: empty })).code).toBe(2);
  expect(existsSync(join(empty, "server.json"))).toBe(false);
  const broken = folder({ "mci.json": FILE, "server.json": "[" });
  expect((await mciHere(["publish", "--check"], { cwd: broken })).stderr).toContain("is not replaced");
});

const remotes = [{ type: "streamable-http", url: "https://w.example.com/mcp" }];
const ofType = (registryType: string, more: object) => ({
  packages: [{ registryType, transport: { type: "stdio" }, ...more }],
});
const npmArgument = (argument: object) =>
  ofType("npm", { identifier: "w", version: "1.0.0", packageArguments: [{ type: "named", ...argument }] });
test.each<[what: string, change: object, problem: string | undefined]>([
  ["nothing", {}, undefined],
  ["a page without TLS", { websiteUrl: "http://w.example.com" }, "'websiteUrl' must be"],
  ["an icon inside the document", { icons: [{ src: "data:image/png;base64,AA" }] }, "icon 'data:"],
  ["a name that ends with a dash", { name: "io.github.ada/weather-" }, "both parts of 'name'"],
  [
    "much metadata",
    { _meta: { "io.modelcontextprotocol.registry/publisher-provided": { a: "x".repeat(5000) } } },
    "4096 bytes",
  ],
  ["an image of any host", ofType("oci", { identifier: "evil.example/ada/w:1" }), "must be an image"],
  ["an image without a tag", ofType("oci", { identifier: "ghcr.io/ada/w" }), "must be an image"],
  ["an image", ofType("oci", { identifier: "ghcr.io/ada/w:1.0.0" }), undefined],
  [
    "a version beside an image",
    ofType("oci", { identifier: "ghcr.io/ada/w:1", version: "1" }),
    "no 'version'",
  ],
  [
    "a bundle of any host",
    ofType("mcpb", { identifier: "https://evil.example/w.mcpb", fileSha256: "a".repeat(64) }),
    "a release at",
  ],
  [
    "a bundle without a digest",
    ofType("mcpb", { identifier: "https://github.com/ada/w/releases/download/1/w.mcpb" }),
    "'fileSha256'",
  ],
  [
    "the older address of NuGet",
    ofType("nuget", { identifier: "w", version: "1.0.0", registryBaseUrl: "https://api.nuget.org" }),
    undefined,
  ],
  ["an option with a description", npmArgument({ name: "--dir <path>" }), "is not the name of an option"],
  ["an option twice", npmArgument({ name: "--dir", value: "--dir=/tmp" }), "repeats its name"],
  ["an option", npmArgument({ name: "--dir", value: "/tmp" }), undefined],
])("[C-publish] what the official registry says to an entry with %s", (_, change, problem) => {
  const entry = { ...metadata, remotes, ...change };
  expect(schemaErrors(serverSchema, entry)).toEqual([]);
  const problems = registryProblems(entry);
  if (problem === undefined) expect(problems).toEqual([]);
  else expect(problems).toEqual([expect.stringContaining(problem)]);
});

test.each([
  ["an address that is not a template", { remotes: [{ type: "sse", url: "https://x.example/{" }] }],
  ["metadata that is a list", { _meta: { "io.modelcontextprotocol.registry/publisher-provided": [] } }],
])("[C-publish] the schema of entries refuses %s", (_, change) => {
  expect(schemaErrors(serverSchema, { ...metadata, ...change })).not.toEqual([]);
});

test.each([
  ["a name without a namespace", { name: "weather" }],
  ["a dated schema", { $schema: SERVER_SCHEMA }],
  ["no schema", { $schema: undefined }],
  ["an address that is not one", { remotes: [{ type: "streamable-http", url: "x" }] }],
  ["a transport that is not one", { remotes: [{ type: "stdio", url: "https://x.example" }] }],
])("[C-publish] the schema of cards refuses %s", (_, change) => {
  const card = serverCard(metadata, { url: "https://x.example/mcp", needsToken: true })!;
  expect(schemaErrors(cardSchema, card)).toEqual([]);
  expect(schemaErrors(cardSchema, JSON.parse(JSON.stringify({ ...card, ...change })))).not.toEqual([]);
});

test.each([
  [
    "a version 'latest'",
    { packages: [{ registryType: "npm", identifier: "w", version: "latest", transport: { type: "stdio" } }] },
  ],
  [
    "a package without a transport",
    { packages: [{ registryType: "npm", identifier: "w", version: "1.0.0" }] },
  ],
  [
    "a positional argument without a value or a hint",
    {
      packages: [
        {
          registryType: "npm",
          identifier: "w",
          transport: { type: "stdio" },
          packageArguments: [{ type: "positional" }],
        },
      ],
    },
  ],
  ["a remote without an address", { remotes: [{ type: "sse" }] }],
  ["a description that is too long", { description: "x".repeat(101) }],
])("[C-publish] the schema of entries refuses %s", (_, change) => {
  expect(schemaErrors(serverSchema, metadata)).toEqual([]);
  expect(schemaErrors(serverSchema, { ...metadata, ...change })).not.toEqual([]);
});

test("[RUN-card] a card names the versions that the server speaks", () => {
  expect(PROTOCOL_VERSIONS).toEqual(["2026-07-28", ...SUPPORTED_PROTOCOL_VERSIONS]);
});
