import type { Prompt, Resource } from "../../schema/content.ts";
import type { Tool } from "../../schema/tool.ts";
import type { JsonPath } from "../../template-api.ts";
import { type CompileToolOptions, compileTool } from "../compile-tools.ts";
import type { LoadContext } from "../context.ts";
import { type LoadedContent, NO_CONTENT } from "./content.ts";
import { parseUriTemplate } from "./uri-template.ts";

const PROMPT_TYPES = ["text", "file"];
const RESOURCE_TYPES = ["text", "file", "http"];

/** The prompts and resources that the file itself declares. They run as tools do, by the same rules. */
export function compileOwnContent(context: LoadContext, options: CompileToolOptions): LoadedContent {
  const { prompts = [], resources = [] } = context.document;
  if (prompts.length === 0 && resources.length === 0) return NO_CONTENT;
  const names = new Set<string>();
  const addresses = new Set<string>();
  const execution = (tool: Tool, place: JsonPath) => ({
    execution: compileTool(tool, place, context, options),
  });
  const placed = <T>(key: string, items: readonly T[]) =>
    items.map((item, index) => ({ item, place: [key, index] as JsonPath }));
  const isUsable = (place: JsonPath, problem: string | undefined) => {
    if (problem !== undefined) context.diagnostics.push({ place, message: problem, severity: "error" });
    return problem === undefined;
  };
  const own = placed("resources", resources).filter(({ item, place }) =>
    isUsable(place, resourceProblem(item) ?? repeated(addresses, "resource", addressOf(item))),
  );
  return {
    ...NO_CONTENT,
    prompts: placed("prompts", prompts)
      .filter(({ item, place }) =>
        isUsable(place, promptProblem(item) ?? repeated(names, "prompt", item.name)),
      )
      .map(({ item, place }) => {
        const { execution: _, ...listed } = item;
        return { listed, source: execution(promptTool(item), place) };
      }),
    resources: own
      .filter(({ item }) => item.uri !== undefined)
      .map(({ item, place }) => {
        const { execution: _, uriTemplate: __, ...listed } = item;
        return { listed: { ...listed, uri: item.uri! }, source: execution(resourceTool(item, []), place) };
      }),
    templates: own
      .filter(({ item }) => item.uriTemplate !== undefined)
      .map(({ item, place }) => {
        const { execution: _, uri: __, ...listed } = item;
        const { names: variables } = parseUriTemplate(item.uriTemplate!)!;
        return {
          listed: { ...listed, uriTemplate: item.uriTemplate! },
          source: execution(resourceTool(item, variables), place),
        };
      }),
  };
}

function promptTool({ name, description, arguments: args = [], execution }: Prompt): Tool {
  const properties = Object.fromEntries(args.map(({ name: arg }) => [arg, { type: "string" }]));
  const required = args.filter((arg) => arg.required).map((arg) => arg.name);
  return {
    name,
    ...(description !== undefined && { description }),
    inputSchema: { type: "object", properties, required },
    execution,
  };
}

function resourceTool({ name, execution }: Resource, variables: readonly string[]): Tool {
  const properties = Object.fromEntries(variables.map((variable) => [variable, { type: "string" }]));
  return { name, inputSchema: { type: "object", properties, required: [...variables] }, execution };
}

function promptProblem({ name, execution }: Prompt): string | undefined {
  return typeProblem(`prompt '${name}'`, execution.type, PROMPT_TYPES);
}

function resourceProblem(resource: Resource): string | undefined {
  const { name, uri, uriTemplate, execution } = resource;
  const what = `resource '${name}'`;
  if ((uri === undefined) === (uriTemplate === undefined))
    return `The ${what} needs either uri or uriTemplate`;
  const address = addressOf(resource);
  if (!/^[a-z][a-z0-9+.-]*:/i.test(address))
    return `The address of ${what} must begin with a scheme, such as docs://`;
  // Clients may fetch those by themselves, from somewhere else.
  if (/^https?:/i.test(address))
    return `The address of ${what} cannot be http or https: choose a scheme of your own`;
  if (uriTemplate !== undefined && parseUriTemplate(uriTemplate) === undefined)
    return `The uriTemplate of ${what} may have {name} and {+name} only, each name once`;
  return typeProblem(what, execution.type, RESOURCE_TYPES);
}

function typeProblem(what: string, type: string, allowed: readonly string[]): string | undefined {
  return allowed.includes(type)
    ? undefined
    : `The execution of ${what} cannot be of type ${type}: use ${allowed.join(" or ")}`;
}

function addressOf({ uri, uriTemplate }: Resource): string {
  return uri ?? uriTemplate ?? "";
}

function repeated(seen: Set<string>, what: string, name: string): string | undefined {
  return seen.size < seen.add(name).size ? undefined : `There are two of the ${what} '${name}'`;
}
