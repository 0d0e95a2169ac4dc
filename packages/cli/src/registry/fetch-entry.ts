import { isObject } from "@mci-ts/primitives/is-object";
import { parseJson } from "@mci-ts/primitives/parse-json";
import { CliError, usageError } from "../cli-error.ts";
import type { Context } from "../command.ts";
import { download } from "../import/source.ts";
import { schemaErrors } from "../publish/check.ts";
import { serverSchema } from "../publish/schemas.ts";

/** Much more than any entry has. */
const MAX_BYTES = 1024 * 1024;
/** The registry's own fields beside an entry. */
const OFFICIAL = "io.modelcontextprotocol.registry/official";

export interface RegistryEntry {
  /** The entry itself; it fits the schema. */
  readonly server: Readonly<Record<string, unknown>>;
  /** What the registry says about it, such as that it is deprecated. */
  readonly warnings: readonly string[];
}

/** One version of a server (`latest`: the newest), by the registry's REST API v0.1. */
export async function fetchEntry(
  registry: string,
  name: string,
  version: string,
  { env, signal }: Pick<Context, "env" | "signal">,
): Promise<RegistryEntry> {
  const base = registryAddress(registry);
  const address = `${base}/v0.1/servers/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`;
  const text = await download(address, "error", env, signal, MAX_BYTES).catch((error: unknown) => {
    if (!(error instanceof CliError)) throw error;
    // The hint of a download is to name a file; an entry is not read from one.
    if (!error.message.endsWith("status 404."))
      throw new CliError(error.message, {
        hint: "Nothing was changed. Check --registry, or try again.",
        cause: error,
      });
    throw new CliError(
      `The registry has no server '${name}'${version === "latest" ? "" : ` of version ${version}`}.`,
      {
        hint: `Look for it: ${base}/v0.1/servers?search=${encodeURIComponent(name.split("/").at(-1)!)}`,
        cause: error,
      },
    );
  });
  const response = parse(text, address);
  const { server } = response;
  const errors = schemaErrors(serverSchema, server);
  if (!isObject(server) || errors.length > 0)
    throw new CliError(`${address} is not an entry of a registry: ${errors[0] ?? "it has no 'server'"}.`, {
      hint: "Nothing was changed. Check --registry.",
    });
  if (server.name !== name || (version !== "latest" && server.version !== version))
    throw new CliError(`The registry responded with another server: '${server.name}' ${server.version}.`, {
      hint: "Nothing was changed.",
    });
  return { server, warnings: statusWarnings(response, name) };
}

function registryAddress(registry: string): string {
  const url = URL.canParse(registry) ? new URL(registry) : undefined;
  const isLocal = url !== undefined && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (
    url === undefined ||
    !(url.protocol === "https:" || (url.protocol === "http:" && isLocal)) ||
    url.username !== ""
  )
    throw usageError(
      `--registry cannot be '${registry}'.`,
      "Write an https:// address, such as --registry https://registry.modelcontextprotocol.io.",
    );
  return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, "");
}

function parse(text: string, address: string): Record<string, unknown> {
  const value = parseJson(text);
  if (isObject(value)) return value;
  throw new CliError(`${address} did not respond with a JSON object.`, {
    hint: "Nothing was changed. Check --registry.",
  });
}

function statusWarnings(response: Record<string, unknown>, name: string): string[] {
  const meta = isObject(response._meta) ? response._meta[OFFICIAL] : undefined;
  const { status, statusMessage } = isObject(meta) ? meta : {};
  const reason =
    typeof statusMessage === "string" && statusMessage !== "" ? `: ${statusMessage.slice(0, 500)}` : "";
  if (status === "deleted")
    throw new CliError(`'${name}' was deleted from the registry${reason}`, { hint: "Nothing was changed." });
  return status === "deprecated" ? [`it is deprecated${reason}`] : [];
}
