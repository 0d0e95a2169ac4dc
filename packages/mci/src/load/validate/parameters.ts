import { isObject } from "@mci-ts/primitives/is-object";
import type { JsonPath } from "../../template-api.ts";
import type { Diagnostic } from "../diagnostics.ts";

/** Styles and path parameters of HTTP tools that name no parameter: a misspelled name would be ignored silently. */
export function checkParameters(tools: unknown): Diagnostic[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool, index) => {
    const execution = isObject(tool) ? tool.execution : undefined;
    if (!isObject(execution) || execution.type !== "http") return [];
    const place = ["tools", index, "execution"];
    return [...unusedStyles(execution, place), ...unusedPathParams(execution, place)];
  });
}

/** Which setting the styles of a place are about. */
const SETTINGS = {
  path: ["pathParams"],
  query: ["params", "query"],
  header: ["headers"],
  cookie: ["cookies"],
};

function unusedStyles(execution: Record<string, unknown>, place: JsonPath): Diagnostic[] {
  const { paramStyles: styles } = execution;
  if (!isObject(styles)) return [];
  return Object.entries(SETTINGS).flatMap(([where, settings]) => {
    const named = new Set(
      settings.flatMap((name) => Object.keys(isObject(execution[name]) ? execution[name] : {})),
    );
    const names = isObject(styles[where]) ? Object.keys(styles[where]) : [];
    return names
      .filter((name) => !named.has(name))
      .map(
        (name): Diagnostic => ({
          place: [...place, "paramStyles", where, name],
          severity: "error",
          message: `'${name}' is not in ${settings[0]}, so its style has no effect`,
          hint: named.size > 0 ? `one of ${[...named].join(", ")}` : `add it to ${settings[0]}`,
        }),
      );
  });
}

function unusedPathParams(execution: Record<string, unknown>, place: JsonPath): Diagnostic[] {
  const { pathParams, url } = execution;
  if (!isObject(pathParams) || typeof url !== "string") return [];
  return Object.keys(pathParams)
    .filter((name) => !url.includes(`{${name}}`))
    .map(
      (name): Diagnostic => ({
        place: [...place, "pathParams", name],
        severity: "error",
        message: `The url has no {${name}}, so this value is never sent`,
        hint: `write {${name}} where it belongs`,
      }),
    );
}
