import type { ImportedDocument } from "./imported.ts";

/** What tools are worth to a model. */
export interface Quality {
  /** Tools whose description is nothing but their method and address. */
  readonly undescribed: number;
  /** POST, PUT and PATCH without a body. */
  readonly bodyless: number;
  /** Tools above 10 kB. */
  readonly large: number;
  /** An estimate of what all definitions cost a model. */
  readonly tokens: number;
}

/**
 * Characters of a tool's definition for one token. Measured over the definitions of Petstore, Slack, Twilio and Figma with the
 * tokenizer o200k_base: 4.18 to 4.61. The tokenizer itself is 22 MB, too much to install for one line.
 */
const CHARACTERS_PER_TOKEN = 4.3;
const LARGE_BYTES = 10_000;
/** Many tools, or many tokens, and a model chooses worse. */
const MANY_TOKENS = 20_000;

export function qualityOf({ tools = [] }: ImportedDocument): Quality {
  const sizes = tools.map(definitionOf);
  return {
    undescribed: tools.filter((tool) => isUndescribed(tool)).length,
    bodyless: tools.filter(({ execution }) => isBodylessWrite(execution)).length,
    large: sizes.filter((text) => Buffer.byteLength(text) > LARGE_BYTES).length,
    tokens: Math.round(sizes.reduce((sum, text) => sum + text.length, 0) / CHARACTERS_PER_TOKEN),
  };
}

/** One line; each fault has the option that helps. */
export function describeQuality({ undescribed, bodyless, large, tokens }: Quality): string {
  const help = tokens > MANY_TOKENS ? " (choose fewer with --tag, --path or --read-only)" : "";
  return [
    `About ${tokens.toLocaleString("en")} tokens for a model${help}`,
    ...(undescribed > 0
      ? [`${count(undescribed, "tool")} without a description (describe with overrides)`]
      : []),
    ...(bodyless > 0 ? [`${count(bodyless, "write")} without a body (check the document)`] : []),
    ...(large > 0
      ? [`${count(large, "tool")} above 10 kB (shorten with --max-description, or --exclude)`]
      : []),
  ].join("; ");
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function definitionOf(tool: object): string {
  const { name, description, inputSchema } = tool as Record<string, unknown>;
  return JSON.stringify({ name, description, input_schema: inputSchema });
}

function isUndescribed(tool: object): boolean {
  const { description } = tool as { description?: unknown };
  return typeof description !== "string" || /^[A-Z]+ \S+$/.test(description.trim());
}

function isBodylessWrite(execution: Readonly<Record<string, unknown>>): boolean {
  return /^(POST|PUT|PATCH)$/.test(String(execution.method)) && execution.body === undefined;
}
