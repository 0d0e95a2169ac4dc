import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readPage, root } from "./markdown.ts";

type Json = Record<string, unknown>;

const schema: Json = JSON.parse(readFileSync(`${root}packages/mci/mci.schema.json`, "utf8"));
// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema
const defs = schema["$defs"] as Record<string, any>;

/** Which objects of the JSON Schema each section of the page is about. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  "The file": [""],
  metadata: ["/$defs/metadata"],
  "A tool": ["/$defs/tool"],
  result: ["/$defs/result"],
  idempotency: ["/$defs/idempotency"],
  verify: ["/$defs/idempotency/properties/verify"],
  annotations: ["/$defs/annotations"],
  "execution: http": ["/$defs/httpExecution"],
  body: defs["body"].anyOf[0].oneOf
    .map((_: unknown, index: number) => `/$defs/body/anyOf/0/oneOf/${index}`)
    .concat("/$defs/body/anyOf/1"),
  files: ["/$defs/body/anyOf/0/oneOf/3/properties/files/additionalProperties/anyOf/1"],
  paramStyles: [
    "/$defs/paramStyles",
    ...["path", "query", "header", "cookie"].map(
      (place) => `/$defs/paramStyles/properties/${place}/additionalProperties/anyOf/1`,
    ),
  ],
  pagination: ["/$defs/pagination"],
  retries: ["/$defs/httpExecution/properties/retries"],
  auth: Object.keys(defs)
    .filter((name) => name.endsWith("Auth") && name !== "serverAuth")
    .map((name) => `/$defs/${name}`),
  "execution: cli": ["/$defs/cliExecution"],
  flags: ["/$defs/cliExecution/properties/flags/additionalProperties"],
  "execution: file": ["/$defs/fileExecution"],
  "execution: text": ["/$defs/textExecution"],
  "execution: mcp": ["/$defs/mcpExecution"],
  "A toolset reference": ["/$defs/toolset/anyOf/1"],
  "An MCP server": ["/$defs/stdioServer", "/$defs/httpServer"],
  overrides: ["/$defs/override"],
  properties: ["/$defs/override/properties/properties/additionalProperties"],
  "auth of a server": ["/$defs/serverAuth"],
  identityProvider: ["/$defs/serverAuth/properties/identityProvider"],
  config: ["/$defs/stdioServer/properties/config"],
  "resources and prompts of a server": ["stdioServer", "httpServer"].flatMap((server) =>
    ["resources", "prompts", "skills"].map((kind) => `/$defs/${server}/properties/${kind}/anyOf/1`),
  ),
  "A prompt": ["/$defs/prompt"],
  "arguments of a prompt": ["/$defs/prompt/properties/arguments/items"],
  "A resource": ["/$defs/resource"],
  icons: ["/$defs/icon"],
};

const text = ["file-format", "file-format-execution", "file-format-sources"]
  .map((name) => readPage(`docs/reference/${name}.md`).text)
  .join("\n");

test.each(Object.entries(SECTIONS))(
  "the section %j lists exactly the fields of the schema",
  (heading, places) => {
    expect(fieldsListed(heading)).toEqual(
      [...new Set(places.flatMap((place) => propertiesAt(place)))].sort(),
    );
  },
);

test("every object of the schema has a section", () => {
  const covered = new Set(Object.values(SECTIONS).flat());
  const places = [...placesWithProperties(schema, "")];
  // Objects that only repeat or restrict one that is covered.
  const repeated =
    /^\/anyOf\/|\/examples\/|^\/\$defs\/body\/|^\/\$defs\/pagination\/properties\/next\/|^\/\$defs\/httpServer\/properties\/config$/;
  expect(places.filter((place) => !covered.has(place) && !repeated.test(place))).toEqual([]);
});

/** First cells of a section's table. */
function fieldsListed(heading: string): string[] {
  const [, section] = text.split(new RegExp(`^##+ ${heading}$`, "m"));
  expect(section, `no section "${heading}"`).toBeDefined();
  const own = section!.split(/^##/m)[0]!;
  return [...own.matchAll(/^\| `([^`]+)` \|/gm)].map(([, field]) => field!).sort();
}

function propertiesAt(place: string): string[] {
  const at = place
    .split("/")
    .slice(1)
    .reduce<unknown>((value, step) => (value as Json)[step], schema);
  const { properties, anyOf } = at as Json;
  const own = properties ?? (anyOf as Json[] | undefined)?.[0]?.["properties"];
  expect(own, place).toBeDefined();
  return Object.keys(own as Json);
}

function* placesWithProperties(value: unknown, place: string): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  if ("properties" in value && typeof value.properties === "object" && !place.endsWith("/properties"))
    yield place;
  for (const [key, item] of Object.entries(value)) yield* placesWithProperties(item, `${place}/${key}`);
}
