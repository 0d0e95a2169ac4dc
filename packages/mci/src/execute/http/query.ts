/**
 * Names and values as `name=value&…`, for query strings and forms. Arrays repeat the name, null and undefined are left
 * out, objects are sent as JSON.
 */
export function encodePairs(values: Readonly<Record<string, unknown>>): string {
  let text = "";
  for (const [name, value] of Object.entries(values)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === null || item === undefined) continue;
      text += `${text === "" ? "" : "&"}${encodePart(name)}=${encodePart(typeof item === "object" ? JSON.stringify(item) : String(item))}`;
    }
  }
  return text;
}

export function encodePart(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Appends to a path that may have a query already. */
export function appendQuery(path: string, query: string): string {
  return query === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${query}`;
}
