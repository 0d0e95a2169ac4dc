import { ToolError } from "../errors.ts";
import type { Scope } from "../text.ts";

/** The same refusal, naming the env variable behind it, if there is one. Its name, never its value. */
export function blameEnv(error: unknown, source: string, { env }: Scope): unknown {
  if (!(error instanceof ToolError)) return error;
  const names = [...source.matchAll(ENV)].map(([, dotted, quoted]) => dotted ?? quoted ?? "");
  const empty = [...new Set(names)].filter((name) => env[name] === "").map((name) => `env.${name}`);
  if (empty.length > 0) {
    const [subject, verb] = [empty.join(" and "), empty.length === 1 ? "is" : "are"];
    return new ToolError(error.code, `The URL cannot be used: ${subject} ${verb} set, but empty.`);
  }
  const [first] = names;
  if (first === undefined || !/^\s*\{(?:\{|!!)\s*env\b/.test(source) || env[first] === undefined)
    return error;
  return new ToolError(
    error.code,
    `${error.message} It begins with env.${first}, whose value must begin with http:// or https://.`,
  );
}

const ENV = /\benv(?:\.([\w-]+)|\[\s*["']([^"']+)["']\s*\])/g;
