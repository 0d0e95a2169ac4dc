import { ToolError } from "../../../errors.ts";
import type { Part, Scope } from "../../../template-api.ts";

/**
 * The refusal of a URL, naming the env variable behind it if there is one: by its name, never by its value. An env value
 * is to blame if it stands before all values of the caller, where the address should have been complete.
 */
export function explainEnvError(
  refusal: unknown,
  parts: readonly Part[],
  source: string,
  { env }: Scope,
): unknown {
  const caller = parts.findIndex(({ origin }) => origin === "props");
  const head = parts.slice(0, caller < 0 ? undefined : caller);
  const isAddress = /^https?:\/\/[^/\\?#]/i.test(head.map(({ text }) => text).join(""));
  if (!(refusal instanceof ToolError) || isAddress || !head.some(({ origin }) => origin === "env"))
    return refusal;

  const names = [...source.matchAll(ENV)].map(([, dotted, quoted]) => dotted ?? quoted ?? "");
  const empty = [...new Set(names)].filter((name) => env[name] === "").map((name) => `env.${name}`);
  if (empty.length > 0) {
    const [subject, verb] = [empty.join(" and "), empty.length === 1 ? "is" : "are"];
    return new ToolError(refusal.code, `The URL cannot be used: ${subject} ${verb} set, but empty.`);
  }
  if (!/^\s*\{(?:\{|!!)\s*env\b/.test(source)) return refusal;
  return new ToolError(
    refusal.code,
    `The URL begins with env.${names[0]}, whose value must begin with http:// or https:// and a host.`,
  );
}

const ENV = /\benv(?:\.([\w-]+)|\[\s*["']([^"']+)["']\s*\])/g;
