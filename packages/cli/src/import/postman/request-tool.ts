import { isObject, objectsIn } from "@mci-ts/primitives/is-object";
import { type Setting, type WrittenSettings, writeSettings } from "mci-ts/authoring";
import { headerSetting, isNoise } from "../headers.ts";
import { annotationsFor, type Json, optionalField, RequestTool } from "../request.ts";
import type { ImportVariables } from "../variables.ts";
import { addressOf } from "./address.ts";
import { authOf } from "./auth.ts";
import { bodyOf } from "./body.ts";
import { textOf } from "./description.ts";
import { warnUnnamed } from "./fields.ts";
import type { PostmanText } from "./text.ts";

export interface CollectionContext {
  readonly text: PostmanText;
  readonly title: string;
  readonly variables: ImportVariables;
  /** The variables that the tools made so far read. */
  readonly read: Set<string>;
  /** Headers that were left out as noise. */
  readonly noise: Set<string>;
  readonly warn: (message: string) => void;
}

/** The tool of one request. Throws where MCI cannot say what the request needs. */
export function requestTool(
  item: Json,
  tags: readonly string[],
  inherited: unknown,
  { text, title, variables, read, noise, warn }: CollectionContext,
): Json & { execution: WrittenSettings } {
  const request = typeof item.request === "string" ? { url: item.request } : item.request;
  if (!isObject(request)) throw new Error("it has no request");
  const tool = new RequestTool(title, variables);
  const method = String(request.method ?? "GET").toUpperCase();
  const { url, params, auth: inAddress } = addressOf(request.url, tool, text, warn);
  const headers = headersOf(request.header, tool, text, { noise, warn });
  const body = isObject(request.body) ? bodyOf(request.body, tool, text, headers, warn) : undefined;
  for (const field of ["proxy", "certificate"])
    if (isObject(request[field])) warn(`its '${field}' is left out`);
  const auth = authOf(request.auth ?? inherited, tool, text) ?? inAddress;
  const description = [item.name, textOf(request.description) ?? textOf(item.description)].filter(Boolean);
  const described = description.join("\n\n");
  if (described.length > MAX_DESCRIPTION) warn(`its description is cut to ${MAX_DESCRIPTION} characters`);
  return {
    description: described.slice(0, MAX_DESCRIPTION) || `${method} ${url.template}`,
    annotations: annotationsFor(method),
    ...(tags.length > 0 ? { tags } : {}),
    inputSchema: tool.inputSchema(),
    execution: writeSettings(
      {
        type: "http",
        method,
        url,
        ...optionalField("params", params),
        ...optionalField("headers", headers),
        ...(auth ? { auth } : {}),
        ...(body ? { body } : {}),
      },
      read,
    ),
  };
}

/** What every model takes. */
const MAX_DESCRIPTION = 1024;

function headersOf(
  list: unknown,
  tool: RequestTool,
  text: PostmanText,
  { noise, warn }: Pick<CollectionContext, "noise" | "warn">,
): Record<string, string | Setting> {
  const items = typeof list === "string" ? linesOf(list) : objectsIn(list);
  const sent = items.filter(
    ({ key, disabled }) => typeof key === "string" && key !== "" && disabled !== true,
  );
  for (const { key, disabled } of items)
    if (typeof key === "string" && key !== "" && disabled === true && !isNoise(key))
      warn(`its header '${key}' is switched off and is left out`);
  warnUnnamed(items, "header", warn);
  const byName = Map.groupBy(sent, ({ key }) => String(key).toLowerCase());
  for (const [name, same] of byName)
    if (same.length > 1) warn(`its header '${name}' is given ${same.length} times; the last one is sent`);
  const last = [...byName.values()].map((same) => same.at(-1)!);
  const wanted = last.filter(({ key }) => {
    const isLeftOut = isNoise(String(key));
    if (isLeftOut) noise.add(String(key));
    return !isLeftOut;
  });
  return Object.fromEntries(
    wanted.map(({ key, value }) => {
      const content = String(value ?? "");
      const name = String(key);
      const hasVariable = content.includes("{{");
      return [name, hasVariable ? text.value(name, content, tool) : headerSetting(name, content, tool)];
    }),
  );
}

/** The format 2.0 allows headers as one text. */
function linesOf(text: string): Json[] {
  return text.split(/\r?\n/).map((line) => {
    const [key = "", value = ""] = line.split(/:\s*(.*)/s, 2);
    return { key: key.trim(), value };
  });
}
