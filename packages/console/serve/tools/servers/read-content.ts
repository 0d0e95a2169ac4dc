import { isObject } from "@mci-ts/primitives/is-object";
import type { CompletionTarget, MCIClient } from "mci-ts";
import { type Listeners, respondInteractively } from "../calls/interactive.ts";
import { ApiFailure } from "../failure.ts";
import type { Endpoint, ToolsSource } from "../source.ts";
import { ContentReader } from "./content-reader.ts";
import { maskOf, requireSource, toFailure } from "./sources.ts";
import type { CompletionResponse, PromptMessage, PromptResponse, ReadResponse } from "./types.ts";

/*
 * What is asked of a source. Each is a POST: it makes a server do something, which a page of another site must not. A response that never
 * comes ends with the time of the server, or when the client leaves.
 */

const MAX_URI = 8192;
const MAX_ARGUMENTS = 100;
const MAX_ARGUMENT_CHARS = 1_000_000;
/** Messages of a prompt, or contents of a resource. */
const MAX_ITEMS = 200;
/** What a server proposes for an argument. */
const MAX_VALUES = 100;
const MAX_VALUE_CHARS = 1000;

/** `{ uri, interactive? }`. */
export const readResource: Endpoint = async (source, { body, signal }, name) => {
  const { uri } = fieldsOf(body);
  if (typeof uri !== "string" || uri.length > MAX_URI)
    throw invalid(`Send { uri }, of at most ${MAX_URI} characters.`);
  return ask(source, body, name, async (client, { took, ...listeners }): Promise<ReadResponse> => {
    const response = await client.readResource(uri, { source: name, signal, ...listeners });
    const contents = listOf(fieldsOf(response)["contents"]);
    const reader = new ContentReader(maskOf(client, name));
    return {
      contents: contents.slice(0, MAX_ITEMS).map((content) => reader.resource(content)),
      ...omitted(contents),
      duration_ms: took(),
    };
  });
};

/** `{ name, arguments?, interactive? }`. */
export const getPrompt: Endpoint = async (source, { body, signal }, name) => {
  const { name: prompt, arguments: values } = fieldsOf(body);
  if (typeof prompt !== "string" || prompt.length > MAX_URI)
    throw invalid(`Send { name }, of a prompt, of at most ${MAX_URI} characters.`);
  const args = textsOf(values, "arguments");
  return ask(source, body, name, async (client, { took, ...listeners }): Promise<PromptResponse> => {
    const options = { source: name, signal, ...listeners };
    const { description, messages } = fieldsOf(await client.getPrompt(prompt, args, options));
    const all = listOf(messages);
    const mask = maskOf(client, name);
    const reader = new ContentReader(mask);
    return {
      ...(typeof description === "string" && { description: mask(description).slice(0, MAX_URI) }),
      messages: all.slice(0, MAX_ITEMS).map((message): PromptMessage => {
        const { role, content } = fieldsOf(message);
        return { role: typeof role === "string" ? role.slice(0, 100) : "unknown", ...reader.item(content) };
      }),
      ...omitted(all),
      duration_ms: took(),
    };
  });
};

/** `{ prompt or resource_template, argument: { name, value }, others? }`: what the server proposes for an argument. */
export const completeArgument: Endpoint = async (source, { body, signal }, name) => {
  const { prompt, resource_template, argument, others } = fieldsOf(body);
  const { name: argumentName, value } = fieldsOf(argument);
  const target = targetOf(prompt, resource_template);
  if (target === undefined || typeof argumentName !== "string" || typeof value !== "string")
    throw invalid("Send { prompt } or { resource_template }, and { argument: { name, value } }.");
  const given = textsOf(others, "others");
  return ask(source, undefined, name, async (client): Promise<CompletionResponse> => {
    const options = { source: name, signal, ...(Object.keys(given).length > 0 && { given }) };
    const response = await client.complete(target, { name: argumentName, value }, options);
    const { values, hasMore } = fieldsOf(fieldsOf(response)["completion"]);
    const texts = listOf(values).filter((each) => typeof each === "string" && each.length <= MAX_VALUE_CHARS);
    return {
      values: maskOf(client, name)(texts.slice(0, MAX_VALUES) as string[]),
      has_more: hasMore === true || texts.length > MAX_VALUES,
    };
  });
};

function targetOf(prompt: unknown, template: unknown): CompletionTarget | undefined {
  if (typeof prompt === "string") return { prompt };
  return typeof template === "string" ? { resourceTemplate: template } : undefined;
}

/** Without listeners there is no one to ask. */
interface Asking extends Listeners {
  /** Milliseconds since it began. */
  readonly took: () => number;
}

async function ask(
  source: ToolsSource,
  body: unknown,
  name: string,
  work: (client: MCIClient, asking: Asking) => Promise<object>,
): Promise<Response> {
  requireSource(source.client(), name);
  return respondInteractively(source.calls, body, maskOf(source.client(), name), (listeners) =>
    source.use(async (client) => {
      const began = performance.now();
      try {
        return await work(client, { ...listeners, took: () => performance.now() - began });
      } catch (error) {
        throw toFailure(error);
      }
    }),
  );
}

const omitted = (all: readonly unknown[]) =>
  all.length > MAX_ITEMS ? { omitted: all.length - MAX_ITEMS } : {};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});
const invalid = (message: string) => new ApiFailure(400, "invalid_request", message);

function textsOf(value: unknown = {}, what: string): Record<string, string> {
  const entries = isObject(value) ? Object.entries(value) : undefined;
  const isText = (each: unknown): each is string =>
    typeof each === "string" && each.length <= MAX_ARGUMENT_CHARS;
  if (entries === undefined || entries.length > MAX_ARGUMENTS || !entries.every(([, each]) => isText(each)))
    throw invalid(
      `${what} must be an object of at most ${MAX_ARGUMENTS} texts of at most ${MAX_ARGUMENT_CHARS} characters.`,
    );
  return Object.fromEntries(entries) as Record<string, string>;
}
