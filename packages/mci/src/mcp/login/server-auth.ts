import type { HttpServer } from "../../schema/source.ts";
import { type Compile, type JsonPath, OMITTED, type Scope } from "../../template-api.ts";
import type { LoginSettings } from "./login-settings.ts";

/** The settings of a server's login with their templates parsed. A setting that turns out empty is as good as not set. */
export type AuthPlan = (scope: Scope) => LoginSettings;

export function compileServerAuth(
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
