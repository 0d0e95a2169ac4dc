import * as fc from "fast-check";
import { DEFAULT_LIMITS } from "../../../mci/src/execute/executor.ts";
import { compileUrl } from "../../../mci/src/execute/http/url/url.ts";
import { importOpenApi } from "../../../mci/src/openapi/index.ts";
import { TemplateCompiler } from "../../../mci/src/template/compile.ts";
import { leakOf, PAYLOADS } from "./canary.ts";
import { changeStrings, KINDS } from "./documents.ts";
import { secretRequest } from "./secret-requests.ts";

const compile = new TemplateCompiler({ limits: DEFAULT_LIMITS, report: () => {} });

const payload = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...PAYLOADS) },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(..."{}@!'\"`|\\ aenv.$"), maxLength: 12 }) },
);
/** Most strings stay, or nothing would be left of a document. */
const treatment = fc.tuple(fc.constantFrom("keep", "keep", "keep", "before", "after", "instead"), payload);
const treatments = fc.array(treatment, { minLength: 1, maxLength: 17 });

const pathPiece = fc.oneof(
  fc.constantFrom(
    ...["/", "//", ".evil.example", "@evil.example", ":81", "\\", "{id}", "?", "#", "%2f", "..", "a", " "],
  ),
  fc.constantFrom(...PAYLOADS),
);
const BASE = "https://api.example.com:8443";

export default [
  ...Object.entries(KINDS).map(([kind, { documents, read }]) => ({
    name: `import ${kind}: text of a document is never a template`,
    property: fc.property(
      fc.constantFrom(...documents.flatMap(withSmaller)),
      treatments,
      (document, list) => {
        const hostile = changeStrings(document, (text, index) => {
          const [mode, added] = list[index % list.length]!;
          return mode === "keep"
            ? text
            : mode === "before"
              ? added + text
              : mode === "after"
                ? text + added
                : added;
        });
        const leak = importOrRefuse(() => leakOf(read(hostile)));
        if (leak !== undefined) throw new Error(leak);
      },
    ),
  })),
  {
    name: "import openapi: --base-url pins scheme, host and port",
    property: fc.property(
      fc.array(pathPiece, { maxLength: 6 }).map((pieces) => pieces.join("")),
      fc.constantFrom(undefined, "https://evil.example", ".evil.example"),
      fc.string({ maxLength: 10 }),
      (path, server, id) => {
        const servers = server === undefined ? {} : { servers: [{ url: server }] };
        const document = {
          openapi: "3.1.0",
          info: {},
          paths: { [path]: { get: { ...servers }, ...servers } },
        };
        const { tools } = importOpenApi(document, { baseUrl: BASE }).toolset;
        const [tool] = tools;
        if (tool === undefined) return true;
        const properties = Object.keys(tool.inputSchema.properties as object);
        const props = Object.fromEntries(properties.map((name) => [name, id]));
        const scope = { props, env: {}, absent: new Set<string>(), onEnv: () => {} };
        try {
          return compileUrl(compile.text(String(tool.execution.url), []))(scope).origin === BASE;
        } catch {
          return true; // A value that the address cannot hold is refused, which sends nothing.
        }
      },
    ),
  },
  {
    name: "import curl, postman: no credential of an example request reaches the file",
    property: fc.property(secretRequest, ({ read, secrets }) => {
      const text = JSON.stringify(read());
      const leaked = secrets.find((secret) => text.includes(secret));
      if (leaked !== undefined) throw new Error(`${leaked} is in ${text}`);
    }),
  },
];

/** The document, and if it is a collection also one with each of its requests alone, which is imported in a fraction of the time. */
function withSmaller(document: unknown): unknown[] {
  const { item: [folder] = [] } = document as { item?: { item: unknown[] }[] };
  return [document, ...(folder?.item ?? []).map((item) => ({ ...(document as object), item: [item] }))];
}

/** A document that cannot be imported sends nothing. */
function importOrRefuse(action: () => string | undefined): string | undefined {
  try {
    return action();
  } catch (error) {
    const isExpected = error instanceof Error && /^(MCIClientError|CliError)$/.test(error.name);
    if (isExpected) return undefined;
    throw error;
  }
}
