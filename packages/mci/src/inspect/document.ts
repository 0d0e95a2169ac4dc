import type { Problem } from "../errors.ts";
import { DEFAULT_LIMITS } from "../execute/executor.ts";
import { compileTool, pathRules } from "../load/compile-tools.ts";
import { checkInputSchemas } from "../load/input-schemas.ts";
import { type Finding, locateFindings } from "../load/locate.ts";
import type { Parsed } from "../load/parsed.ts";
import { formatPlace } from "../load/problems.ts";
import { compileServer } from "../mcp/server-plan.ts";
import { createCompile } from "../template/compile.ts";
import { loadJinja } from "../template/load-jinja.ts";
import { DROPPED, type Place, type Scope } from "../text.ts";
import { codeFromValues } from "./code-from-values.ts";
import type { CommandUse, EnvUse, Spot, User } from "./inspection.ts";
import { type Reading, readingUses } from "./reading.ts";
import { recordSettings } from "./settings.ts";
import { readTemplateFile, type TemplateFile } from "./template-files.ts";
import { declaredProperties } from "./undeclared.ts";
import { inputSchemas, understandable } from "./understandable.ts";

export interface Site {
  /** "main" or the name of the toolset. */
  readonly usedBy: string;
  /** The entry file's directory. */
  readonly baseDir: string;
  readonly env: Readonly<Record<string, unknown>>;
}

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

export async function inspectDocument(parsed: Parsed, { usedBy, baseDir, env }: Site): Promise<Part> {
  const {
    tools,
    servers,
    toolsets,
    libraryDir,
    templateEngine: engine,
    ...permissions
  } = understandable(parsed.data);
  const readings: Reading[] = [];
  const files: TemplateFile[] = [];
  const envs: EnvUse[] = [];
  const commands: CommandUse[] = [];
  const findings: Finding[] = [];

  const locate = await parsed.locator();
  const spot = (place: Place, offset?: number): Spot => ({
    file: parsed.file,
    ...locate(place, { offset }),
    path: formatPlace(place),
  });
  const compile = createCompile({
    limits: DEFAULT_LIMITS,
    engine,
    jinja: await loadJinja(),
    report: (problem) => findings.push({ ...problem, severity: "error" }),
  });
  /** Compiles like the loader, noting every setting as read by `user`. */
  const recorder = (user: User, declared?: readonly string[]) =>
    recordSettings(compile, engine, ({ source, place, language }) =>
      readings.push({ source, language, user, declared, spot: (offset) => spot(place, offset) }),
    );
  const scope: Scope = { props: {}, env, absent: new Set(), onEnv: () => {} };
  /** What a setting says before any call; undefined if that depends on the call or on a variable that is not set. */
  const known = (source: string, place: Place): string | undefined => {
    try {
      const rendered = compile.text(source, place).render(scope);
      return rendered === DROPPED || rendered === "" ? undefined : rendered;
    } catch {
      return undefined;
    }
  };
  const command = (source: string, place: Place, user: User) => {
    const name = known(source, place);
    if (name !== undefined) commands.push({ command: name, cwd: baseDir, ...user, ...spot(place) });
  };

  const own = recorder({ usedBy });
  if (libraryDir !== undefined) own.text(libraryDir, ["libraryDir"]);
  pathRules(baseDir, [{ permissions, place: [], compile: own }]);
  for (const { reference, place } of toolsets) {
    pathRules(baseDir, [{ permissions: reference, place, compile: own }]);
  }
  for (const { tool, place } of tools) {
    const user = { usedBy, tool: tool.name };
    const declared = declaredProperties(tool.inputSchema);
    const recording = recorder(user, declared);
    const layers = [
      { permissions: tool, place, compile: recording },
      { permissions, place: [], compile },
    ];
    const { paths } = compileTool(
      tool,
      place,
      { compile: recording, atCall: compile },
      pathRules(baseDir, layers),
    );
    const { execution } = tool;
    const at = [...place, "execution"];
    if (execution.type === "cli") {
      command(execution.command, [...at, "command"], user);
      findings.push(...codeFromValues(execution, at));
      for (const [index, name] of (execution.inheritEnv ?? []).entries()) {
        envs.push({ name, hasFallback: true, ...user, ...spot([...at, "inheritEnv", index]) });
      }
    } else if (execution.type === "file" && execution.enableTemplating !== false) {
      const path = known(execution.path, [...at, "path"]);
      if (path === undefined) continue;
      const rules = { paths: paths(scope), limits: DEFAULT_LIMITS };
      const writtenAt = spot([...at, "path"]);
      files.push({
        path,
        engine: execution.templateEngine ?? engine ?? "builtin",
        rules,
        writtenAt,
        user,
        declared,
      });
    }
  }
  for (const { name, server } of servers) {
    const user = { usedBy: `mcp:${name}` };
    const place = ["mcp_servers", name];
    const recording = recorder(user);
    compileServer(server, recording, place);
    const days = server.config?.expDays;
    if (typeof days === "string") recording.text(days, [...place, "config", "expDays"]);
    if ("command" in server) command(server.command, [...place, "command"], user);
  }

  const read = await Promise.all(files.map(readTemplateFile));
  const uses = [...readings, ...read.flatMap((file) => file.readings)].map(readingUses);
  return {
    problems: [
      ...(await locateFindings(parsed, findings)),
      ...(await checkInputSchemas(parsed, { tools: inputSchemas(parsed.data) })),
      ...uses.flatMap((use) => use.problems),
      ...read.flatMap((file) => file.problems),
    ],
    envs: [...uses.flatMap((use) => use.envs), ...envs],
    commands,
    toolsets: toolsets.map(({ reference }) => reference.name),
    libraryDir: libraryDir === undefined ? undefined : known(libraryDir, ["libraryDir"]),
  };
}
