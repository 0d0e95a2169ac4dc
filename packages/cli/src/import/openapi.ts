import type { ImportOptions } from "mci-ts/openapi";
import { CliError } from "../cli-error.ts";
import type { Imported } from "./imported.ts";
import type { Source } from "./source.ts";

/** References in one message. */
const MAX_SHOWN = 10;

/** An OpenAPI or Swagger document as a toolset. */
export async function importOpenApiSource(
  source: Source,
  options: ImportOptions & { readonly force: boolean },
): Promise<Imported> {
  const { bundleOpenApi, importOpenApi } = await import("mci-ts/openapi");
  const { document, warnings } = await bundleOpenApi(source.text, source);
  const result = importOpenApi(document, { ...options, documentUrl: source.address });
  if (result.unresolved.length > 0 && !options.force) throw unresolvedError(result.unresolved, warnings);
  const lost = result.unresolved.map((reference) => `The reference ${reference} does not resolve`);
  const hasSecrets = result.variables.some(({ secret }) => secret);
  const hint = "No operation says how to authenticate. If the API needs a token, import with --auth bearer.";
  const isOpen = !hasSecrets && options.auth === undefined && result.tools.length > 0;
  return {
    document: result.toolset,
    skipped: result.skipped.map(({ method, path, reason, byChoice }) => ({
      what: `${method} ${path}`,
      reason,
      byChoice,
    })),
    warnings: [...lost, ...warnings, ...result.warnings, ...(isOpen ? [hint] : [])],
    variables: result.variables,
    pages: result.pages,
    secrets: new Map(),
  };
}

function unresolvedError(unresolved: readonly string[], reasons: readonly string[]): CliError {
  const count = unresolved.length === 1 ? "1 reference does" : `${unresolved.length} references do`;
  const listing = unresolved.slice(0, MAX_SHOWN).map((reference) => `\n  ${reference}`);
  const more = unresolved.length > MAX_SHOWN ? `\n  … and ${unresolved.length - MAX_SHOWN} more` : "";
  const because = reasons.slice(0, 3).map((reason) => `\n${reason}`);
  return new CliError(
    `${count} not resolve, so parts of the tools would be missing:${listing.join("")}${more}${because.join("")}`,
    {
      hint: "Import the document from a folder that holds all its files, or pass --force to leave these parts out.",
    },
  );
}
