import { resolve } from "node:path";
import { ToolError } from "../errors.ts";
import type { Executors } from "../execute/execute.ts";
import { DEFAULT_LIMITS, type PathRules } from "../execute/executor.ts";
import { compileTool, type Permissions, pathRules, type RulesFor } from "../load/compile-tools.ts";
import type { Diagnostic } from "../load/diagnostics.ts";
import { compileServer } from "../mcp/server-plan.ts";
import type { McpServer } from "../schema/document.ts";
import { COMPOSED } from "../schema/json-schema/composed.ts";
import type { Tool } from "../schema/tool.ts";
import { Secrets } from "../secrets.ts";
import { TemplateCompiler, type TemplateProblem } from "../template/compile.ts";
import type { Jinja } from "../template/jinja/load.ts";
import { type Compile, type JsonPath, OMITTED, type Scope, type TemplateEngine } from "../template-api.ts";
import { mayRead } from "./project-folders.ts";
import type { CommandUse, Consumer, EnvUse, Location } from "./result.ts";
import { readsProps } from "./rules/shell-injection.ts";
import { SERVER_RULES, TOOL_RULES } from "./rules.ts";
import { recordSettings } from "./settings.ts";
import type { TemplateFile } from "./template-files.ts";
import type { TemplateUse } from "./template-use.ts";

export interface CollectorOptions {
  /** "main" or the name of the toolset. */
  readonly usedBy: string;
  /** The entry file's directory. */
  readonly baseDir: string;
  readonly env: Readonly<Record<string, unknown>>;
  /** What may be read, whatever the document allows its tools. */
  readonly project: PathRules;
  readonly engine: TemplateEngine | undefined;
  readonly jinja: Jinja;
  readonly executors: Executors;
  /** Where a place of the document lies in its file. */
  readonly locationOf: (place: JsonPath, offset?: number) => Location;
}

/** Compiles the parts of a document as the loader does, and collects their env variables, commands and problems. */
export class Collector {
  readonly templateUses: TemplateUse[] = [];
  readonly files: TemplateFile[] = [];
  readonly envs: EnvUse[] = [];
  readonly commands: CommandUse[] = [];
  readonly diagnostics: Diagnostic[] = [];
  /** Where the path of a templated file depends on the caller. */
  readonly callerChosenFiles: JsonPath[] = [];
  /** The env values that were filled in to know what to look at. */
  readonly secrets = new Secrets();
  readonly #options: CollectorOptions;
  readonly #compile: Compile;
  readonly #scope: Scope;

  constructor(options: CollectorOptions) {
    const { engine, jinja, env } = options;
    this.#options = options;
    this.#scope = { props: {}, env, absent: new Set(), onEnv: (value, use) => this.secrets.add(value, use) };
    // The loader reports the warnings.
    const report = (problem: TemplateProblem) => {
      if (problem.severity === undefined) this.diagnostics.push({ ...problem, severity: "error" });
    };
    this.#compile = new TemplateCompiler({ limits: DEFAULT_LIMITS, engine, jinja, report });
  }

  /** A setting of the document itself. */
  text(source: string, place: JsonPath): void {
    this.#recorder({ usedBy: this.#options.usedBy }).text(source, place);
  }

  permissions(permissions: Permissions, place: JsonPath): void {
    const compile = this.#recorder({ usedBy: this.#options.usedBy });
    pathRules(this.#options.baseDir, [{ permissions, place, compile }]);
  }

  tool(tool: Tool, place: JsonPath, filePermissions: Permissions): void {
    const { usedBy, baseDir, engine, executors, locationOf } = this.#options;
    const consumer = { usedBy, tool: tool.name };
    const declared = declaredProperties(tool.inputSchema);
    const compile = this.#recorder(consumer, declared, tool.inputSchema);
    const permissions = pathRules(baseDir, [
      { permissions: tool, place, compile },
      { permissions: filePermissions, place: [], compile: this.#compile },
    ]);
    const compiled = { executors, compile, atCall: this.#compile };
    const { paths } = compileTool(tool, place, compiled, { paths: permissions });
    const { execution } = tool;
    const at = [...place, "execution"];
    this.diagnostics.push(...TOOL_RULES.flatMap((rule) => rule(tool, place)));
    if (execution.type === "cli") {
      this.#command(execution.command, [...at, "command"], consumer);
      for (const [index, name] of (execution.inheritEnv ?? []).entries()) {
        this.envs.push({ name, hasFallback: true, ...consumer, ...locationOf([...at, "inheritEnv", index]) });
      }
    }
    if (execution.type !== "file" || execution.enableTemplating === false) return;
    if (readsProps(execution.path, "text", tool.inputSchema)) this.callerChosenFiles.push([...at, "path"]);
    const path = this.known(execution.path, [...at, "path"]);
    const rules = this.#knownRules(paths);
    if (path === undefined || rules === undefined) return;
    this.files.push({
      path,
      engine: execution.templateEngine ?? engine ?? "builtin",
      rules: { paths: { ...rules, within: this.#options.project }, limits: DEFAULT_LIMITS },
      writtenAt: locationOf([...at, "path"]),
      consumer,
      declared,
      inputSchema: tool.inputSchema,
    });
  }

  server(name: string, server: McpServer): void {
    const consumer = { usedBy: `mcp:${name}` };
    const place = ["mcp_servers", name];
    const compile = this.#recorder(consumer);
    compileServer(server, compile, place);
    const days = server.config?.expDays;
    if (typeof days === "string") compile.text(days, [...place, "config", "expDays"]);
    this.diagnostics.push(...SERVER_RULES.flatMap((rule) => rule(server, place)));
    if ("command" in server) this.#command(server.command, [...place, "command"], consumer);
  }

  /** What a setting says before any call; undefined if that depends on the call or on a variable that is not set. */
  known(source: string, place: JsonPath): string | undefined {
    try {
      const rendered = this.#compile.text(source, place).render(this.#scope);
      return rendered === OMITTED || rendered === "" ? undefined : rendered;
    } catch {
      return undefined;
    }
  }

  /** undefined if an entry of the allow list cannot be known before a call. */
  #knownRules(paths: RulesFor): PathRules | undefined {
    try {
      return paths(this.#scope);
    } catch (error) {
      if (error instanceof ToolError) return undefined;
      throw error;
    }
  }

  #command(source: string, place: JsonPath, consumer: Consumer): void {
    const { baseDir, locationOf, project } = this.#options;
    const command = this.known(source, place);
    if (command === undefined) return;
    const displayed = this.secrets.mask(command);
    const isInProject = mayRead(project)(resolve(baseDir, command));
    this.commands.push({ command, displayed, isInProject, cwd: baseDir, ...consumer, ...locationOf(place) });
  }

  /** Compiles like the loader, and records every setting as read by the consumer. */
  #recorder(consumer: Consumer, declared?: readonly string[], inputSchema?: unknown): Compile {
    const { engine, locationOf } = this.#options;
    return recordSettings(this.#compile, engine, ({ source, place, language }) =>
      this.templateUses.push({
        source,
        language,
        consumer,
        declared,
        inputSchema,
        locationOf: (offset) => locationOf(place, offset),
      }),
    );
  }
}

const OPEN = [...COMPOSED, "patternProperties"];

/**
 * The properties a call can have, or undefined where they cannot be listed: no schema, no `properties`, extra
 * properties allowed, or a composed schema.
 */
function declaredProperties(schema: Tool["inputSchema"]): readonly string[] | undefined {
  if (schema === undefined || OPEN.some((keyword) => keyword in schema)) return undefined;
  const { properties, required, additionalProperties } = schema as Record<string, unknown>;
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  if (isOpen || typeof properties !== "object" || properties === null) return undefined;
  const names = Object.keys(properties);
  if (names.length === 0) return additionalProperties === false ? [] : undefined;
  return Array.isArray(required) ? [...names, ...required.filter((name) => typeof name === "string")] : names;
}
