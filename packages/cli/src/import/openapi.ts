import type { ImportOptions } from "mci-ts/openapi";
import type { Imported } from "./imported.ts";
import type { Source } from "./source.ts";

/** An OpenAPI or Swagger document as a toolset. */
export async function importOpenApiSource(source: Source, options: ImportOptions): Promise<Imported> {
  const { bundleOpenApi, importOpenApi } = await import("mci-ts/openapi");
  const { document, warnings } = await bundleOpenApi(source.text, source);
  const result = importOpenApi(document, { ...options, documentUrl: source.address });
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
    warnings: [...warnings, ...result.warnings, ...(isOpen ? [hint] : [])],
    variables: result.variables,
  };
}
