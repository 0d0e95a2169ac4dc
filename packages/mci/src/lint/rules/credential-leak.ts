import { isObject } from "@mci-ts/primitives/is-object";
import type { Diagnostic } from "../../load/diagnostics.ts";
import type { HttpExecution } from "../../schema/execution.ts";
import type { Tool } from "../../schema/tool.ts";
import { references } from "../../template/references.ts";
import type { JsonPath } from "../../template-api.ts";
import { stringsIn } from "../settings.ts";

/**
 * Warns where the caller chooses the host that receives the author's credentials.
 * A property that can only have certain values (`enum`, `const`) is the author's choice.
 */
export function credentialLeak(
  { url, headers, params, body, auth }: HttpExecution,
  place: JsonPath,
  inputSchema: Tool["inputSchema"],
): Diagnostic[] {
  const chooses = (address: string) => choosesHost(address, inputSchema);
  const leakOf = (at: JsonPath, sent: string): Diagnostic => ({
    place: [...place, ...at],
    severity: "warning",
    message: `The caller chooses the host that receives ${sent}`,
    hint: "write the host in the file, or give the property an enum of allowed hosts",
  });
  const { tokenUrl, ...credentials } = auth?.type === "oauth2" ? auth : { ...auth, tokenUrl: undefined };
  const names = envIn([url, headers, params, body?.content, credentials]);
  const sent = [...names.map((name) => `env.${name}`), ...(auth && names.length === 0 ? ["its auth"] : [])];
  return [
    ...(sent.length > 0 && chooses(url) ? [leakOf(["url"], sent.join(", "))] : []),
    ...(tokenUrl !== undefined && chooses(tokenUrl)
      ? [leakOf(["auth", "tokenUrl"], "the client secret")]
      : []),
  ];
}

function envIn(value: unknown): string[] {
  const names = [...stringsIn(value, [])].flatMap(({ source }) =>
    references(source, "text").references.flatMap(({ root, path: [name] }) =>
      root === "env" && name !== undefined ? [name] : [],
    ),
  );
  return [...new Set(names)];
}

/** Whether a value of the caller is the address, or the end of the host in it: what comes before is only a name below. */
function choosesHost(url: string, inputSchema: Tool["inputSchema"]): boolean {
  const marked = url
    .trim()
    .replace(PLACEHOLDER, (placeholder) => (isFree(placeholder, inputSchema) ? FREE : FIXED));
  if (marked.startsWith(FREE) && !marked.startsWith(`${FREE}://`)) return true;
  const [, host = ""] = /^[^/]*:\/\/(?:[^/\\?#]*@)?([^/\\?#:]*)/.exec(marked) ?? [];
  return host.endsWith(FREE);
}

/** One that is never closed ends with the text, so that no part of it is read twice. */
const PLACEHOLDER = /\{\{.*?(?:\}\}|$)|\{!!.*?(?:!!\}|$)/gs;
const FREE = "\uE000";
const FIXED = "\uE001";

function isFree(placeholder: string, inputSchema: Tool["inputSchema"]): boolean {
  const properties = inputSchema?.properties;
  return references(placeholder, "text", [], inputSchema).references.some(({ root, path: [name = ""] }) => {
    if (root !== "props") return root === "caller";
    const property = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    return !isObject(property) || !("enum" in property || "const" in property);
  });
}
