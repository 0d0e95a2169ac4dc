import type { Problem } from "../errors.ts";
import { openExecutors } from "../execute/execute.ts";
import { type Diagnostic, locateDiagnostics } from "../load/diagnostics.ts";
import type { Parsed } from "../load/parse/parsed.ts";
import { formatPath, toolAt } from "../load/problems.ts";
import { checkInputSchemas } from "../load/validate/input-schema.ts";
import type { ToolsetReference } from "../schema/source.ts";
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
  /** The toolsets it includes. */
  readonly toolsets: readonly ToolsetReference[];
  /** Rendered; undefined if not set, or if it cannot be known before a call. */
  readonly libraryDir?: string;
  /** Takes the env values out of a text that were filled in for this document. */
  mask<T extends object>(items: readonly T[]): T[];
}

export async function lintDocument(
  parsed: Parsed,
  site: Pick<CollectorOptions, "usedBy" | "baseDir" | "env" | "project">,
): Promise<DocumentLint> {
  const {
    tools,
    servers,
    toolsets,
    libraryDir,
    templateEngine: engine,
    envAllowList = [],
    ...permissions
  } = parseLenient(parsed.data);
  const locate = await parsed.locator();
  const locationOf = (place: JsonPath, offset?: number): Location => ({
    file: parsed.file,
    ...locate(place, { offset }),
    path: formatPath(place),
    ...toolAt(parsed.data, place),
  });
  const collector = new Collector({
    ...site,
    engine,
    jinja: await loadJinja(),
    executors: await openExecutors(),
    locationOf,
  });

  if (libraryDir !== undefined) collector.text(libraryDir, ["libraryDir"]);
  collector.permissions(permissions, []);
  for (const { reference, place } of toolsets) collector.permissions(reference, place);
  for (const { tool, place } of tools) collector.tool(tool, place, permissions);
  for (const { name, server } of servers) collector.server(name, server);

  const files = await Promise.all(collector.files.map(readTemplateFile));
  // Their paths may be made of env; all other texts are the document's own.
  const mask = <T extends object>(items: readonly T[]): T[] =>
    items.map((item) => collector.secrets.maskFields(item));
  const fileUses = files.flatMap((file) => file.templateUses).map(analyzeTemplate);
  const uses = [
    ...collector.templateUses.map(analyzeTemplate),
    ...fileUses.map(({ envs, problems }) => ({ envs: mask(envs), problems: mask(problems) })),
  ];
  const envs = [...uses.flatMap((use) => use.envs), ...collector.envs];
  const unused = toolsets.length > 0 ? [] : unusedVariables(envAllowList, envs);
  return {
    problems: [
      ...(await locateDiagnostics(parsed, unused)),
      ...(await locateDiagnostics(parsed, collector.diagnostics)),
      ...(await checkInputSchemas(parsed, { tools: inputSchemas(parsed.data) })),
      ...uses.flatMap((use) => use.problems),
      ...mask(files.flatMap((file) => file.problems)),
    ],
    envs,
    commands: collector.commands,
    callerChosenFiles: await locateDiagnostics(parsed, collector.callerChosenFiles.map(callerChosenFile)),
    toolsets: toolsets.map(({ reference }) => reference),
    libraryDir: libraryDir === undefined ? undefined : collector.known(libraryDir, ["libraryDir"]),
    mask,
  };
}

/** A name that nothing reads widens what a later change may read. */
function unusedVariables(envAllowList: readonly string[], envs: readonly EnvUse[]): Diagnostic[] {
  const read = new Set(envs.map(({ name }) => name));
  return envAllowList.flatMap((name, index): Diagnostic[] =>
    read.has(name)
      ? []
      : [
          {
            place: ["envAllowList", index],
            severity: "warning",
            message: `Nothing in this file reads env.${name}`,
            hint: "remove it from envAllowList",
          },
        ],
  );
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
