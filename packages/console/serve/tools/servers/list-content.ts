import type { MCIClient, McpPrompt, McpResource } from "mci-ts";
import { json } from "../json-response.ts";
import { MadeOnce } from "../made-once.ts";
import { searchWords } from "../search-words.ts";
import type { Endpoint } from "../source.ts";
import { maskOf, requireSource } from "./sources.ts";
import type { PromptPage, PromptSummary, ResourcePage, ResourceSummary } from "./types.ts";

/* Resources and prompts of a source, as they were loaded: nothing is asked of a server for a list. */

const PAGE = 200;
/** Characters of an address or a name; what is longer is listed, and cannot be asked for. */
const MAX_KEY = 8192;
const MAX_TITLE = 500;
const MAX_DESCRIPTION = 5000;
const MAX_ARGUMENTS = 100;

/** `uri`: only the entry with this address. */
export const listResources: Endpoint = async ({ client }, { query }, source) => {
  const all = await resourcesOf(client(), source);
  const { items, ...page } = pageOf(all, query, "uri");
  return json({ ...page, resources: items } satisfies ResourcePage);
};

/** `name`: only the prompt with this name. */
export const listPrompts: Endpoint = async ({ client }, { query }, source) => {
  const all = await promptsOf(client(), source);
  const { items, ...page } = pageOf(all, query, "name");
  return json({ ...page, prompts: items } satisfies PromptPage);
};

/** An entry with what it is searched by. */
interface Entry<T> {
  readonly summary: T;
  readonly text: string;
}

type Entries<T> = Promise<readonly Entry<T>[]>;

/** A resource or a template. */
type Resource = McpResource & { readonly is_template?: true };

const resources = new MadeOnce<Entries<ResourceSummary>>();
const prompts = new MadeOnce<Entries<PromptSummary>>();

function resourcesOf(client: MCIClient, source: string): Entries<ResourceSummary> {
  requireSource(client, source);
  return resources.get(client, source, async () => {
    const [templates, listed] = await Promise.all([
      client.resourceTemplates({ source }),
      client.resources({ source }),
    ]);
    // All at once: what is masked is prepared for each call.
    return maskOf(
      client,
      source,
    )<readonly Resource[]>([
      ...templates.map((template) => ({
        ...template,
        uri: template.uriTemplate,
        is_template: true as const,
      })),
      ...listed,
    ]).map((resource) => {
      const { uri, mimeType, size, is_template } = resource;
      return toEntry<ResourceSummary>(uri, {
        uri: uri.slice(0, MAX_KEY),
        ...(is_template && { is_template }),
        ...named(resource),
        ...(typeof mimeType === "string" && { mime_type: mimeType.slice(0, MAX_TITLE) }),
        ...(typeof size === "number" && { size }),
      });
    });
  });
}

function promptsOf(client: MCIClient, source: string): Entries<PromptSummary> {
  requireSource(client, source);
  return prompts.get(client, source, async () => {
    const mask = maskOf(client, source);
    return mask(await client.prompts({ source })).map((prompt) => {
      const { name, arguments: declared = [] } = prompt;
      const omitted = declared.length - MAX_ARGUMENTS;
      return toEntry<PromptSummary>(name, {
        ...named(prompt),
        name: name.slice(0, MAX_KEY),
        arguments: declared.slice(0, MAX_ARGUMENTS).map(toArgument),
        ...(omitted > 0 && { omitted_arguments: omitted }),
      });
    });
  });
}

function toArgument(
  argument: NonNullable<McpPrompt["arguments"]>[number],
): PromptSummary["arguments"][number] {
  const { name, required } = argument;
  return { ...named(argument), name: name.slice(0, MAX_KEY), ...(required === true && { required }) };
}

interface Named {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
}

function named({ name, title, description }: Named): Named {
  return {
    name: name.slice(0, MAX_TITLE),
    ...(typeof title === "string" && { title: title.slice(0, MAX_TITLE) }),
    ...(typeof description === "string" && { description: shortened(description) }),
  };
}

function shortened(description: string): string {
  const omitted = description.length - MAX_DESCRIPTION;
  return omitted <= 0
    ? description
    : `${description.slice(0, MAX_DESCRIPTION)}… (${omitted} more characters)`;
}

function toEntry<T extends Named>(key: string, summary: T): Entry<T> {
  const { name, title = "", description = "" } = summary;
  return {
    summary: key.length > MAX_KEY ? { ...summary, is_cut: true } : summary,
    text: `${name} ${title} ${description} ${key.slice(0, MAX_KEY)}`.toLowerCase(),
  };
}

/** Those with every word of `q`, from `cursor` on, or the one whose `key` is asked for. */
function pageOf<T extends object>(
  all: readonly Entry<T>[],
  query: URLSearchParams,
  key: keyof T & string,
): { items: readonly T[]; total: number; next_cursor: string | null } {
  const words = searchWords(query.get("q") ?? "");
  const exact = query.get(key);
  const matching = all.filter(
    ({ summary, text }) =>
      words.every((word) => text.includes(word)) && (exact === null || summary[key] === exact),
  );
  const start = Math.max(0, Math.trunc(Number(query.get("cursor") ?? 0)) || 0);
  return {
    items: matching.slice(start, start + PAGE).map(({ summary }) => summary),
    total: matching.length,
    next_cursor: start + PAGE < matching.length ? String(start + PAGE) : null,
  };
}
