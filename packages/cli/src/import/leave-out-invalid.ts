import { join } from "node:path";
import { CliError } from "../cli-error.ts";
import type { Imported, Skipped } from "./imported.ts";

/**
 * What passes `mci validate` of an import. A document may say what the file format has no words for; the tools that
 * would make the file invalid are left out, with the reason. An error outside of tools refuses the import.
 */
export async function leaveOutInvalid(imported: Imported, folder: string): Promise<Imported> {
  const { lintFile } = await import("mci-ts");
  const { tools = [] } = imported.document;
  const { problems } = await lintFile(join(folder, "tools.json"), {
    source: JSON.stringify(imported.document),
  });
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return imported;
  const servers = Object.keys(imported.document.mcp_servers ?? {});
  const invalidTools = new Map<number, string>();
  const invalidServers = new Map<string, string>();
  for (const { message, path = "" } of errors) {
    const [, index, place = ""] = /^tools\[(\d{1,9})\]\.?(.*)$/s.exec(path) ?? [];
    const server = servers.find((name) =>
      [`mcp_servers.${name}.`, `mcp_servers[${JSON.stringify(name)}]`].some((start) =>
        `${path}.`.startsWith(start),
      ),
    );
    if (index !== undefined && !invalidTools.has(Number(index)))
      invalidTools.set(Number(index), `it would not be valid: ${place}: ${message}`);
    else if (server !== undefined && !invalidServers.has(server))
      invalidServers.set(server, `it would not be valid: ${message}`);
    else if (index === undefined && server === undefined)
      throw new CliError(`The import would not be valid: ${path} ${message}`);
  }
  const { mcp_servers: all, ...document } = imported.document;
  const kept = Object.entries(all ?? {}).filter(([name]) => !invalidServers.has(name));
  return {
    ...imported,
    document: {
      ...document,
      ...(imported.document.tools ? { tools: tools.filter((_, index) => !invalidTools.has(index)) } : {}),
      ...(all ? { mcp_servers: Object.fromEntries(kept) } : {}),
    },
    skipped: [
      ...imported.skipped,
      ...[...invalidTools].map(([index, reason]) => skip(tools[index]?.name ?? `tool ${index}`, reason)),
      ...[...invalidServers].map(([name, reason]) => skip(name, reason)),
    ],
  };
}

function skip(what: string, reason: string): Skipped {
  return { what, reason, byChoice: false };
}

/** Nothing is written where nothing is left. */
export function requireSomething({ document, skipped }: Imported): void {
  if ((document.tools ?? []).length + Object.keys(document.mcp_servers ?? {}).length > 0) return;
  const reasons = skipped.slice(0, 15).map(({ what, reason }) => `\n  ${what}: ${reason}`);
  throw new CliError(
    skipped.length === 0
      ? "There is nothing to import: the document names no requests or servers."
      : `Nothing could be imported:${reasons.join("")}`,
  );
}
