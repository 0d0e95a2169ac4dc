import { isObject } from "@mci-ts/primitives/is-object";
import { ENCODING, tokensOf } from "../list/tokens.ts";
import { plural } from "../print/plural.ts";
import type { ImportedDocument } from "./imported.ts";

/** What tools are worth to a model. */
export interface Quality {
  /** Tools whose description is nothing but their method and address. */
  readonly undescribed: number;
  /** POST, PUT and PATCH without a body. */
  readonly bodyless: number;
  /** Tools that ask their caller, a model, for a key or token, and the parameters of that name, such as `header token`. */
  readonly credentials: { readonly tools: number; readonly parameters: readonly string[] };
  /** Tools above 10 kB. */
  readonly large: number;
  /** An estimate of what all definitions cost a model. */
  readonly tokens: number;
}

const LARGE_BYTES = 10_000;
/** Many tools, or many tokens, and a model chooses worse. */
const MANY_TOKENS = 20_000;

export function qualityOf({ tools = [] }: ImportedDocument): Quality {
  const definitions = tools.map(definitionOf);
  const credentials = tools.map(({ execution }) => credentialsOf(execution));
  return {
    credentials: {
      tools: credentials.filter((each) => each.length > 0).length,
      parameters: [...new Set(credentials.flat())],
    },
    undescribed: tools.filter((tool) => isUndescribed(tool)).length,
    bodyless: tools.filter(({ execution }) => isBodylessWrite(execution)).length,
    large: definitions.filter((each) => Buffer.byteLength(JSON.stringify(each)) > LARGE_BYTES).length,
    tokens: definitions.reduce((sum, each) => sum + tokensOf(each), 0),
  };
}

/** One line; each fault has the option that helps. */
export function describeQuality({ undescribed, bodyless, credentials, large, tokens }: Quality): string {
  const help = tokens > MANY_TOKENS ? " (choose fewer with --tag, --path or --read-only)" : "";
  return [
    `About ${tokens.toLocaleString("en")} tokens for a model, estimated for ${ENCODING}${help}`,
    ...(undescribed > 0
      ? [`${plural(undescribed, "tool")} without a description (describe with overrides)`]
      : []),
    ...(bodyless > 0 ? [`${plural(bodyless, "write")} without a body (check the document)`] : []),
    ...(credentials.tools > 0
      ? [
          `${plural(credentials.tools, "tool")} with a key or token that the model has to give: ${credentials.parameters.join(", ")} (from a variable with --auth apiKey:${credentials.parameters[0]!.replace(" ", ":")})`,
        ]
      : []),
    ...(large > 0
      ? [`${plural(large, "tool")} above 10 kB (shorten with --max-description, or --exclude)`]
      : []),
  ].join("; ");
}

function definitionOf(tool: object): object {
  const { name, description, inputSchema } = tool as Record<string, unknown>;
  return { name, description, input_schema: inputSchema };
}

function isUndescribed(tool: object): boolean {
  const { description } = tool as { description?: unknown };
  return typeof description !== "string" || /^[A-Z]+ \S+$/.test(description.trim());
}

function isBodylessWrite(execution: Readonly<Record<string, unknown>>): boolean {
  return /^(POST|PUT|PATCH)$/.test(String(execution.method)) && execution.body === undefined;
}

/** Headers and the like that the caller fills, and that are named as a key or token is; a query may have another `token` or `key`. */
function credentialsOf(execution: Readonly<Record<string, unknown>>): string[] {
  const named = (place: string, values: unknown, pattern: RegExp) =>
    Object.entries(isObject(values) ? values : {})
      .filter(([name, value]) => pattern.test(name) && /^\{(?:\{|!!) ?props\b/.test(String(value)))
      .map(([name]) => `${place} ${name}`);
  return [
    ...named(
      "header",
      execution.headers,
      /^(?:x[-_])?(?:(?:access|api|app|auth)[-_]?)?(?:key|token|secret)$/i,
    ),
    ...named("query", execution.params, /^(?:access|api|app|auth)[-_]?(?:key|token|secret)$/i),
  ];
}
