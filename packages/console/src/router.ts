import { decodeUri } from "@mci-ts/primitives/decode-uri";
import { useSyncExternalStore } from "react";

/** Where the page is: the path behind the `#`, so that the console and the API never compete for an address. */
export interface Location {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

export function useLocation(): Location {
  return parse(useSyncExternalStore(subscribe, () => location.hash));
}

export function navigate(path: string): void {
  location.hash = path;
}

/** Changes the query without a new entry in the browser's history. */
export function replaceQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const { path, query } = parse(location.hash);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  history.replaceState(
    history.state,
    "",
    `#/${path.map(encodeURIComponent).join("/")}${text === "" ? "" : `?${text}`}`,
  );
  dispatchEvent(new HashChangeEvent("hashchange"));
}

function parse(hash: string): Location {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  return { path: path.split("/").filter(Boolean).map(decodeUri), query: new URLSearchParams(query) };
}

function subscribe(onChange: () => void): () => void {
  addEventListener("hashchange", onChange);
  return () => removeEventListener("hashchange", onChange);
}
