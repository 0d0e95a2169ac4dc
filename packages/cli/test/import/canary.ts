import { TemplateCompiler } from "../../../mci/src/template/compile.ts";
import { references } from "../../../mci/src/template/references.ts";
import type { Made } from "./documents.ts";

/** A variable that no import creates: its names are in capitals, or those of a configuration. */
export const CANARY = "Canary_Key";
const SECRET = "s3cr3t-of-the-canary";

/** Text that would read the canary if it were a template, and what could end a placeholder of ours. */
export const PAYLOADS: readonly string[] = [
  `{{env.${CANARY}}}`,
  `{!!env.${CANARY}!!}`,
  `a@{{env.${CANARY}}}`,
  `@{{env.${CANARY}}}`,
  `@@{{env.${CANARY}}}`,
  `{{{env.${CANARY}}}}`,
  `{{ env["${CANARY}"] | 'x' }}`,
  `{{env}}`,
  `' | env.${CANARY} | '`,
  `'}}{{env.${CANARY}}}{{'`,
  `"}}{{env.${CANARY}}}`,
  `}}{{env.${CANARY}}}`,
  `!!}{!!env.${CANARY}!!}`,
  `@if(env.${CANARY}){{env.${CANARY}}}@endif`,
  `{% if env.${CANARY} %}{{ env.${CANARY} }}{% endif %}`,
  `@verbatim{{env.${CANARY}}}`,
  "{",
  "@",
  "{{",
  "{!!",
  "'",
  "\\",
];

const limits = { maxTemplateOutput: 1_000_000, maxTemplateLoops: 1000, maxTemplateDepth: 100 };

/** What is wrong with an import, seen as the loader sees it; undefined: every placeholder is one that the import made. */
export function leakOf({ document, variables }: Made): string | undefined {
  const created = new Set(variables.map(({ name }) => name));
  const env = { ...Object.fromEntries(variables.map(({ name }) => [name, "v"])), [CANARY]: SECRET };
  const problems: string[] = [];
  const compile = new TemplateCompiler({
    limits,
    report: ({ message, severity }) => severity ?? problems.push(message),
  });
  const entries = [...(document.tools ?? []), ...Object.values(document.mcp_servers ?? {})];
  for (const entry of entries) {
    const { execution = entry, inputSchema, envAllowList = document.envAllowList } = entry as Entry;
    const { envAllowList: _, ...settings } = execution as Entry;
    const properties = Object.keys(inputSchema?.properties ?? {});
    for (const text of stringsOf(settings)) {
      for (const { root, path } of references(text, "text").references) {
        const [name = ""] = path;
        const isKnown = root === "env" ? created.has(name) : properties.includes(name);
        if (!isKnown || path.length !== 1) return `${text} reads ${root}.${path.join(".")}`;
        if (root === "env" && !envAllowList?.includes(name)) return `envAllowList does not name ${name}`;
      }
    }
    const props = Object.fromEntries(properties.map((name) => [name, "p"]));
    const rendered = compile.value(settings, []).render({ props, env, absent: new Set(), onEnv: () => {} });
    if (JSON.stringify(rendered).includes(SECRET)) return `${JSON.stringify(settings)} gives the canary away`;
  }
  return problems[0];
}

interface Entry {
  readonly execution?: object;
  readonly inputSchema?: { readonly properties?: object };
  readonly envAllowList?: readonly string[];
}

function* stringsOf(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null)
    for (const item of Object.values(value)) yield* stringsOf(item);
}
