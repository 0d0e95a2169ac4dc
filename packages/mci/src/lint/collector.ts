import { DEFAULT_LIMITS } from "../execute/executor.ts";
import { compileTool, type Permissions, pathRules } from "../load/compile-tools.ts";
import type { Finding } from "../load/diagnostics.ts";
import { compileServer } from "../mcp/server-plan.ts";
import type { McpServer } from "../schema/document.ts";
import type { Tool } from "../schema/tool.ts";
import { createCompile } from "../template/compile.ts";
import type { Jinja } from "../template/jinja/load.ts";
import { type Compile, DROPPED, type Place, type Scope, type TemplateEngine } from "../template-api.ts";
import { credentialsToCaller } from "./credential-leak.ts";
import { declaredProperties } from "./declared-properties.ts";
import type { CommandUse, EnvUse, Spot, User } from "./result.ts";
import { recordSettings } from "./settings.ts";
import { codeFromValues } from "./shell-injection.ts";
import type { TemplateFile } from "./template-files.ts";
import type { Reading } from "./template-use.ts";
import { unusableAddress } from "./url.ts";

export interface CollectorOptions {
  /** "main" or the name of the toolset. */
  readonly usedBy: string;
  /** The entry file's directory. */
  readonly baseDir: string;
  readonly env: Readonly<Record<string, unknown>>;
  readonly engine: TemplateEngine | undefined;
  readonly jinja: Jinja;
  /** Where a place of the document lies in its file. */
  readonly spot: (place: Place, offset?: number) => Spot;
}

/** Goes through the parts of a document as the loader does, and keeps what they read, start and get wrong. */
export class Collector {
  readonly readings: Reading[] = [];
  readonly files: TemplateFile[] = [];
  readonly envs: EnvUse[] = [];
  readonly commands: CommandUse[] = [];
  readonly findings: Finding[] = [];
  readonly #options: CollectorOptions;
  readonly #compile: Compile;
  readonly #scope: Scope;

  constructor(options: CollectorOptions) {
    const { engine, jinja, env } = options;
    this.#options = options;
    this.#scope = { props: {}, env, absent: new Set(), onEnv: () => {} };
    const report = (problem: Omit<Finding, "severity">) =>
      this.findings.push({ ...problem, severity: "error" });
    this.#compile = createCompile({ limits: DEFAULT_LIMITS, engine, jinja, report });
  }

  /** A setting of the document itself. */
  text(source: string, place: Place): void {
    this.#recorder({ usedBy: this.#options.usedBy }).text(source, place);
  }

  permissions(permissions: Permissions, place: Place): void {
    const compile = this.#recorder({ usedBy: this.#options.usedBy });
    pathRules(this.#options.baseDir, [{ permissions, place, compile }]);
  }

  tool(tool: Tool, place: Place, filePermissions: Permissions): void {
    const { usedBy, baseDir, engine, spot } = this.#options;
    const user = { usedBy, tool: tool.name };
    const declared = declaredProperties(tool.inputSchema);
    const compile = this.#recorder(user, declared);
    const rules = pathRules(baseDir, [
      { permissions: tool, place, compile },
      { permissions: filePermissions, place: [], compile: this.#compile },
    ]);
    const { paths } = compileTool(tool, place, { compile, atCall: this.#compile }, rules);
    const { execution } = tool;
    const at = [...place, "execution"];
    if (execution.type === "cli") {
      this.#command(execution.command, [...at, "command"], user);
      this.findings.push(...codeFromValues(execution, at));
      for (const [index, name] of (execution.inheritEnv ?? []).entries()) {
        this.envs.push({ name, hasFallback: true, ...user, ...spot([...at, "inheritEnv", index]) });
      }
    }
    if (execution.type === "http") {
      const { url, auth } = execution;
      this.findings.push(...unusableAddress(url, [...at, "url"]));
      if (auth?.type === "oauth2")
        this.findings.push(...unusableAddress(auth.tokenUrl, [...at, "auth", "tokenUrl"]));
      this.findings.push(...credentialsToCaller(execution, at, tool.inputSchema));
    }
    if (execution.type !== "file" || execution.enableTemplating === false) return;
    const path = this.known(execution.path, [...at, "path"]);
    if (path === undefined) return;
    this.files.push({
      path,
      engine: execution.templateEngine ?? engine ?? "builtin",
      rules: { paths: paths(this.#scope), limits: DEFAULT_LIMITS },
      writtenAt: spot([...at, "path"]),
      user,
      declared,
    });
  }

  server(name: string, server: McpServer): void {
    const user = { usedBy: `mcp:${name}` };
    const place = ["mcp_servers", name];
    const compile = this.#recorder(user);
    compileServer(server, compile, place);
    const days = server.config?.expDays;
    if (typeof days === "string") compile.text(days, [...place, "config", "expDays"]);
    if ("command" in server) this.#command(server.command, [...place, "command"], user);
    else this.findings.push(...unusableAddress(server.url, [...place, "url"]));
  }

  /** What a setting says before any call; undefined if that depends on the call or on a variable that is not set. */
  known(source: string, place: Place): string | undefined {
    try {
      const rendered = this.#compile.text(source, place).render(this.#scope);
      return rendered === DROPPED || rendered === "" ? undefined : rendered;
    } catch {
      return undefined;
    }
  }

  #command(source: string, place: Place, user: User): void {
    const { baseDir, spot } = this.#options;
    const command = this.known(source, place);
    if (command !== undefined) this.commands.push({ command, cwd: baseDir, ...user, ...spot(place) });
  }

  /** Compiles like the loader, noting every setting as read by `user`. */
  #recorder(user: User, declared?: readonly string[]): Compile {
    const { engine, spot } = this.#options;
    return recordSettings(this.#compile, engine, ({ source, place, language }) =>
      this.readings.push({ source, language, user, declared, spot: (offset) => spot(place, offset) }),
    );
  }
}
