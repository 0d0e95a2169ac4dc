import { stringifyExact } from "@mci-ts/primitives/exact-json";

/**
 * Names and values as `name=value&…`, for query strings and forms. Arrays repeat the name, null and undefined are left
 * out, objects are sent as JSON.
 */
export function encodePairs(values: Readonly<Record<string, unknown>>): string {
  let text = "";
  for (const [name, value] of Object.entries(values)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === null || item === undefined) continue;
      text += `${text === "" ? "" : "&"}${encodePart(name)}=${encodePart(typeof item === "object" ? stringifyExact(item) : String(item))}`;
    }
  }
  return text;
}

export function encodePart(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** The same, in place of every parameter of that name, however its name is encoded. */
export function replaceParameter(path: string, name: string, value: string): string {
  const start = path.indexOf("?");
  const kept =
    start < 0
      ? []
      : path
          .slice(start + 1)
          .split("&")
          .filter((pair) => pair !== "" && parameterName(pair) !== name);
  const base = start < 0 ? path : path.slice(0, start);
  return appendQuery(appendQuery(base, kept.join("&")), encodePairs({ [name]: value }));
}

function parameterName(pair: string): string {
  const [[name] = [""]] = [...new URLSearchParams(pair)];
  return name;
}

/** Appends to a path that may have a query already. */
export function appendQuery(path: string, query: string): string {
  return query === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${query}`;
}
