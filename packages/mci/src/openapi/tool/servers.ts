import { Setting } from "../../template/setting.ts";
import { field, objectField, textField } from "../json.ts";
import type { Operation } from "../read/operations.ts";
import { variableName } from "./names.ts";
import type { Variables } from "./variables.ts";

export interface ServerOptions {
  /** Instead of all servers of the document. */
  readonly baseUrl?: string;
  /** Where the document was read from: what relative addresses are relative to. */
  readonly documentUrl?: string;
  /** Address of the first server: the one that the variable BASE_URL replaces. */
  readonly mainUrl?: string;
}

/** The start of an operation's address, without a slash at its end. */
export function baseUrlOf(
  operation: Pick<Operation, "servers">,
  options: ServerOptions,
  variables: Variables,
): Setting {
  const { baseUrl, documentUrl } = options;
  if (baseUrl?.includes("{{")) return Setting.ofUser(baseUrl.replace(/(?<!\/)\/+$/, ""));
  const server = operation.servers[0];
  const url = baseUrl ?? absolute(textField(server, "url") ?? "/", documentUrl);
  const name = variables.name("BASE_URL");
  const about = "Address of the API";
  if (url === undefined) {
    const path = encodeUrlText((textField(server, "url") ?? "").replace(/(?<!\/)\/+$/, ""));
    return Setting.join(variables.setting(name, about, undefined), path.startsWith("/") ? path : "");
  }
  const declared = baseUrl === undefined ? objectField(server, "variables") : {};
  const pieces = url
    .replace(/[?#].*$/s, "")
    .replace(/(?<!\/)\/+$/, "")
    .split(/\{([^{}]*)\}/);
  if (pieces.length > 1)
    return Setting.join(
      ...pieces.map((piece, index) => (index % 2 === 0 ? encodeUrlText(piece) : variable(piece))),
    );
  // Another server of an operation or path is not the one that BASE_URL replaces.
  const isMain =
    baseUrl !== undefined || options.mainUrl === undefined || textField(server, "url") === options.mainUrl;
  const text = encodeUrlText(pieces[0]!);
  return isMain ? variables.setting(name, about, text) : Setting.join(text);

  function variable(piece: string): Setting {
    const value = objectField(declared, piece);
    const fallback = field(value, "default");
    const text = fallback === undefined ? undefined : encodeUrlText(String(fallback));
    const description = textField(value, "description") ?? `Part '${piece}' of the API's address`;
    return variables.setting(variables.name(variableName(piece)), description, text);
  }
}

/** An absolute http(s) address, or undefined if that cannot be known. */
function absolute(url: string, documentUrl: string | undefined): string | undefined {
  const text = url.trim();
  if (/^https?:\/\//i.test(text) || /^\{[^{}]+\}/.test(text)) return text;
  if (text.startsWith("//")) return `https:${text}`;
  // "api.example.com/v1", a common mistake.
  if (/^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?(\/|$)/i.test(text)) return `https://${text}`;
  if (documentUrl === undefined || !/^https?:/i.test(documentUrl)) return undefined;
  const base = new URL(documentUrl);
  const path = text.startsWith("/") ? text : `${base.pathname.replace(/[^/]*$/, "")}${text}`;
  return `${base.origin}${path}`;
}

/** What an address cannot hold as it is, braces and quotes among it, percent-encoded. */
export function encodeUrlText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[{}'"\\\s`^|<>]|[^\x20-\x7e]/g, (char) => encodeURIComponent(char).replaceAll("'", "%27"));
}
