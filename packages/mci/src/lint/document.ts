import type { Problem } from "../errors.ts";
import { type Diagnostic, locateDiagnostics } from "../load/diagnostics.ts";
import type { Parsed } from "../load/parse/parsed.ts";
import { formatPath } from "../load/problems.ts";
import { checkInputSchemas } from "../load/validate/input-schema.ts";
import { loadJinja } from "../template/jinja/load.ts";
import type { JsonPath } from "../template-api.ts";
import { Collector, type CollectorOptions } from "./collector.ts";
import { inputSchemas, parseLenient } from "./parse-lenient.ts";
import type { CommandUse, EnvUse, Location } from "./result.ts";
import { readTemplateFile } from "./template-files.ts";
import { analyzeTemplate } from "./template-use.ts";

/** The lint result of one document. */
export interface DocumentLint {
  readonly problems: readonly Problem[];
  readonly envs: readonly EnvUse[];
  readonly commands: readonly CommandUse[];
  /** Warnings that hold if any of the documents reads env. */
  readonly callerChosenFiles: readonly Problem[];
  /** Names of the toolsets it includes. */
  readonly toolsets: readonly string[];
  /** Rendered; undefined if not set, or if it cannot be known before a call. */
  readonly libraryDir?: string;
}

export async function lintDocument(
  parsed: Parsed,
  site: Pick<CollectorOptions, "usedBy" | "baseDir" | "env">,
): Promise<DocumentLint> {
  const {
    tools,
    servers,
    toolsets,
    libraryDir,
    templateEngine: engine,
    ...permissions
  } = parseLenient(parsed.data);
  const locate = await parsed.locator();
  const locationOf = (place: JsonPath, offset?: number): Location => ({
    file: parsed.file,
    ...locate(place, { offset }),
    path: formatPath(place),
  });
  const collector = new Collector({ ...site, engine, jinja: await loadJinja(), locationOf });

  if (libraryDir !== undefined) collector.text(libraryDir, ["libraryDir"]);
  collector.permissions(permissions, []);
  for (const { reference, place } of toolsets) collector.permissions(reference, place);
  for (const { tool, place } of tools) collector.tool(tool, place, permissions);
  for (const { name, server } of servers) collector.server(name, server);

  const files = await Promise.all(collector.files.map(readTemplateFile));
  const uses = [...collector.templateUses, ...files.flatMap((file) => file.templateUses)].map(
    analyzeTemplate,
  );
  return {
    problems: [
      ...(await locateDiagnostics(parsed, collector.diagnostics)),
      ...(await checkInputSchemas(parsed, { tools: inputSchemas(parsed.data) })),
      ...uses.flatMap((use) => use.problems),
      ...files.flatMap((file) => file.problems),
    ],
    envs: [...uses.flatMap((use) => use.envs), ...collector.envs],
    commands: collector.commands,
    callerChosenFiles: await locateDiagnostics(parsed, collector.callerChosenFiles.map(callerChosenFile)),
    toolsets: toolsets.map(({ reference }) => reference.name),
    libraryDir: libraryDir === undefined ? undefined : collector.known(libraryDir, ["libraryDir"]),
  };
}

/** Any file in reach of the caller could read env: `{{env.KEY}}` in a log file, for example. */
function callerChosenFile(place: JsonPath): Diagnostic {
  return {
    place,
    severity: "warning",
    message: "The caller chooses this file, and placeholders in it are filled in, those of env included",
    hint: 'write "enableTemplating": false beside it',
  };
}
