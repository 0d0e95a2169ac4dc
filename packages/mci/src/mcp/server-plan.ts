import { type Count, compileTimeout } from "../count.ts";
import type { McpServer } from "../schema/document.ts";
import type { HttpServer } from "../schema/source.ts";
import { credentialScope, Secrets } from "../secrets.ts";
import { type Compile, type JsonPath, OMITTED, type Scope, type TemplateString } from "../template-api.ts";
import type { LoginSettings } from "./login/login-settings.ts";
import type { ServerConfig } from "./server-config.ts";

type NamedStrings = readonly (readonly [string, TemplateString])[];

/** A server's settings with their templates parsed. */
export interface ServerPlan {
  readonly target:
    | {
        readonly type: "stdio";
        readonly command: TemplateString;
        readonly args: readonly TemplateString[];
        readonly env: NamedStrings;
      }
    | {
        readonly type: "http" | "sse";
        readonly url: TemplateString;
        readonly headers: NamedStrings;
        readonly auth: AuthPlan | undefined;
      };
  readonly timeoutMs: Count;
}

export interface RenderedServer {
  readonly config: ServerConfig;
  /** Deadline of one call, if the server has its own. */
  readonly timeoutMs?: number;
  /** The env values in it: none of them may appear in output. */
  readonly secrets: readonly unknown[];
}

export function compileServer(server: McpServer, compileAll: Compile, place: JsonPath): ServerPlan {
  const compile = compileAll.readingOnly(server.envAllowList);
  const text = (source: string, ...at: (string | number)[]) => compile.text(source, [...place, ...at]);
  const named = (values: Readonly<Record<string, string>> | undefined, key: string): NamedStrings =>
    Object.entries(values ?? {}).map(([name, value]) => [name, text(value, key, name)]);
  return {
    target:
      "command" in server
        ? {
            type: "stdio",
            command: text(server.command, "command"),
            args: (server.args ?? []).map((arg, index) => text(arg, "args", index)),
            env: named(server.env, "env"),
          }
        : {
            type: server.type === "sse" ? "sse" : "http",
            url: text(server.url, "url"),
            headers: named(server.headers, "headers"),
            auth: server.auth && compileServerAuth(server.auth, compile, [...place, "auth"]),
          },
    timeoutMs: compileTimeout(server.timeout_ms, compile, place),
  };
}

/** Fills in the templates. Only `env` is there to be read; what is missing is an error of the template stage. */
export function renderServer(
  { target, timeoutMs }: ServerPlan,
  env: Readonly<Record<string, unknown>>,
  cwd: string,
  publicValues?: ReadonlySet<string>,
): RenderedServer {
  const secrets = new Secrets(publicValues);
  const onEnv: Scope["onEnv"] = (value, use) => secrets.add(value, use);
  const scope: Scope = { props: {}, env, absent: new Set(), onEnv };
  const render = (text: TemplateString, seen = scope) => {
    const rendered = text.render(seen);
    return rendered === OMITTED ? "" : rendered;
  };
  const named = (values: NamedStrings, seen = scope) =>
    Object.fromEntries(values.map(([name, text]) => [name, render(text, seen)]));
  const config: ServerConfig =
    target.type === "stdio"
      ? {
          type: "stdio",
          command: render(target.command),
          args: target.args.map((text) => render(text)),
          env: named(target.env),
          cwd,
        }
      : {
          type: target.type,
          url: render(target.url),
          headers: named(target.headers, credentialScope(scope)),
          ...(target.auth && { auth: target.auth(credentialScope(scope)) }),
        };
  return { config, timeoutMs: timeoutMs(scope), secrets: secrets.values };
}

/** The settings of a server's login with their templates parsed. A setting that turns out empty is as good as not set. */
type AuthPlan = (scope: Scope) => LoginSettings;

function compileServerAuth(
  { type: _, ...settings }: NonNullable<HttpServer["auth"]>,
  compile: Compile,
  place: JsonPath,
): AuthPlan {
  return compileValue(settings, compile, place) as AuthPlan;
}

function compileValue(value: unknown, compile: Compile, place: JsonPath): (scope: Scope) => unknown {
  if (typeof value === "string") {
    const text = compile.text(value, place);
    return (scope) => {
      const rendered = text.render(scope);
      return rendered === OMITTED || rendered === "" ? undefined : rendered;
    };
  }
  const fields = Object.entries(value as object)
    .filter(([, field]) => field !== undefined)
    .map(([name, field]) => {
      const at = [...place, Array.isArray(value) ? Number(name) : name];
      return [name, compileValue(field, compile, at)] as const;
    });
  return (scope) => {
    const rendered = fields
      .map(([name, render]) => [name, render(scope)] as const)
      .filter(([, one]) => one !== undefined);
    return Array.isArray(value) ? rendered.map(([, one]) => one) : Object.fromEntries(rendered);
  };
}
