import type { Problem } from "../errors.ts";
import { locateFindings } from "../load/diagnostics.ts";
import type { Parsed } from "../load/parse/parsed.ts";
import { formatPlace } from "../load/problems.ts";
import { checkInputSchemas } from "../load/validate/input-schema.ts";
import { loadJinja } from "../template/jinja/load.ts";
import type { Place } from "../template-api.ts";
import { Collector, type CollectorOptions } from "./collector.ts";
import { inputSchemas, understandable } from "./parse-lenient.ts";
import type { CommandUse, EnvUse, Spot } from "./result.ts";
import { readTemplateFile } from "./template-files.ts";
import { readingUses } from "./template-use.ts";

/** What one document adds to an inspection. */
export interface Part {
  readonly problems: readonly Problem[];
  readonly envs: readonly EnvUse[];
  readonly commands: readonly CommandUse[];
  /** Names of the toolsets it takes in. */
  readonly toolsets: readonly string[];
  /** Rendered; undefined if it does not say, or cannot be known. */
  readonly libraryDir?: string;
}

export async function inspectDocument(
  parsed: Parsed,
  site: Pick<CollectorOptions, "usedBy" | "baseDir" | "env">,
): Promise<Part> {
  const {
    tools,
    servers,
    toolsets,
    libraryDir,
    templateEngine: engine,
    ...permissions
  } = understandable(parsed.data);
  const locate = await parsed.locator();
  const spot = (place: Place, offset?: number): Spot => ({
    file: parsed.file,
    ...locate(place, { offset }),
    path: formatPlace(place),
  });
  const collector = new Collector({ ...site, engine, jinja: await loadJinja(), spot });

  if (libraryDir !== undefined) collector.text(libraryDir, ["libraryDir"]);
  collector.permissions(permissions, []);
  for (const { reference, place } of toolsets) collector.permissions(reference, place);
  for (const { tool, place } of tools) collector.tool(tool, place, permissions);
  for (const { name, server } of servers) collector.server(name, server);

  const files = await Promise.all(collector.files.map(readTemplateFile));
  const uses = [...collector.readings, ...files.flatMap((file) => file.readings)].map(readingUses);
  return {
    problems: [
      ...(await locateFindings(parsed, collector.findings)),
      ...(await checkInputSchemas(parsed, { tools: inputSchemas(parsed.data) })),
      ...uses.flatMap((use) => use.problems),
      ...files.flatMap((file) => file.problems),
    ],
    envs: [...uses.flatMap((use) => use.envs), ...collector.envs],
    commands: collector.commands,
    toolsets: toolsets.map(({ reference }) => reference.name),
    libraryDir: libraryDir === undefined ? undefined : collector.known(libraryDir, ["libraryDir"]),
  };
}
