import type { ClientErrorCode, Problem } from "../../errors.ts";
import {
  compileTool,
  narrowedRules,
  openTemplates,
  pathRules,
  templateErrors,
  toolLabel,
} from "../compile-tools.ts";
import type { LoadContext, SourcedTool } from "../context.ts";
import { locateDiagnostics } from "../diagnostics.ts";
import { settingsOfFile, settingsOfReference } from "../lock/settings.ts";
import { unknownServers } from "../mcp/unknown-servers.ts";
import type { ParseFile } from "../parse/parse.ts";
import { loadToolsets, type ToolsetFile } from "./load.ts";

/** The tools of the toolsets that an entry file includes. Errors are in the diagnostics and in `problems`. */
export async function compileToolsets(
  context: LoadContext,
  library: string | undefined,
  parse: ParseFile,
): Promise<{ tools: readonly SourcedTool[]; problems: readonly Problem[]; code: ClientErrorCode }> {
  if (library === undefined) return { tools: [], problems: [], code: "schema_invalid" };
  const { document, options, diagnostics, mayRead } = context;
  const { files, code, ...found } = await loadToolsets(document.toolsets ?? [], library, {
    ...options,
    parse,
    mayRead,
    collectTemplateErrors: (parts) => templateErrors(parts, context.limits, document.envAllowList),
  });
  diagnostics.push(...found.diagnostics);
  const compiled = await Promise.all(files.map((file) => compileFile(file, context)));
  return {
    tools: compiled.flatMap(({ tools }) => tools),
    problems: [...found.problems, ...compiled.flatMap(({ problems }) => problems)],
    code,
  };
}

/** A toolset file has its own template engine; the permissions of its tools come from the entry file. */
async function compileFile(
  { reference, index, parsed, document, tools }: ToolsetFile,
  context: LoadContext,
): Promise<{ tools: readonly SourcedTool[]; problems: readonly Problem[] }> {
  const { baseDir, limits, options } = context;
  const templates = await openTemplates(document, limits, context.document.envAllowList);
  const { compile, diagnostics } = templates;
  const allowed = pathRules(baseDir, [
    { permissions: reference, place: ["toolsets", index], compile: context.compile },
    { permissions: context.document, place: [], compile: context.compile },
  ]);
  const enabled = tools
    .filter(({ tool }) => !tool.disabled)
    .map(({ tool, input, index }) => ({ tool, input, place: ["tools", index] }));
  const settings = {
    file: settingsOfFile(context.document),
    toolset: settingsOfFile(document),
    reference: settingsOfReference(reference),
  };
  const compiled = enabled.map(({ tool, input, place }): SourcedTool => {
    const own = [
      { permissions: tool, place, compile: compile.forTool(toolLabel(tool.name, parsed.file)) },
      { permissions: document, place: [], compile },
    ];
    return {
      loaded: compileTool(tool, place, templates, {
        ...options,
        paths: narrowedRules(baseDir, own, allowed),
        input,
        file: parsed.file,
        settings,
      }),
      named: { name: tool.name, source: `toolset '${reference.name}'`, place: [...place, "name"], parsed },
    };
  });
  diagnostics.push(...unknownServers(enabled, Object.keys(context.document.mcp_servers ?? {})));
  return { tools: compiled, problems: await locateDiagnostics(parsed, diagnostics) };
}
