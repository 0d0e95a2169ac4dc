import type { Execution } from "mci-ts";
import { jinjaReferences, references } from "mci-ts/authoring";

/** Where the values of a tool's templates go. */
export interface ValueUses {
  /** Where the value of each property goes: "query q", "body text". */
  readonly props: ReadonlyMap<string, readonly string[]>;
  /** The same for each variable. */
  readonly env: ReadonlyMap<string, readonly string[]>;
  /** Variables without which a call fails. */
  readonly requiredEnv: ReadonlySet<string>;
}

/** Reads the templates of an execution without rendering them. */
export function valueUses(execution: Execution, engine: "builtin" | "jinja2"): ValueUses {
  const uses = {
    ...{ props: new Map<string, string[]>(), env: new Map<string, string[]>() },
    requiredEnv: new Set<string>(),
  };
  const add = (root: "props" | "env", name: string, where: string) => {
    const places = uses[root].get(name) ?? [];
    if (!places.includes(where)) uses[root].set(name, [...places, where]);
  };
  for (const { path, text } of strings(execution, [])) {
    const isLarge = execution.type === "text" && path[0] === "text";
    const found =
      isLarge && engine === "jinja2"
        ? jinjaReferences(text)
        : references(text, isLarge ? "template" : path.at(-1) === "from" ? "path" : "text").references;
    for (const {
      root,
      path: [name],
      hasFallback,
    } of found) {
      if (name === undefined || root === "caller") continue;
      add(root, name, placeName(path));
      if (root === "env" && !hasFallback) uses.requiredEnv.add(name);
    }
  }
  if (execution.type === "cli")
    for (const name of execution.inheritEnv ?? []) add("env", name, "environment of the command");
  return uses;
}

/** Settings that are read as they stand. */
const PLAIN = new Set(["type", "inheritEnv", "paramStyles", "templateEngine", "serverName", "toolName"]);

function* strings(
  value: unknown,
  path: readonly string[],
): Generator<{ path: readonly string[]; text: string }> {
  if (typeof value === "string") yield { path, text: value };
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value))
    if (path.length > 0 || !PLAIN.has(key)) yield* strings(item, [...path, key]);
}

const WORDS: Readonly<Record<string, string>> = {
  params: "query",
  pathParams: "path",
  headers: "header",
  cookies: "cookie",
  flags: "flag",
  env: "variable",
};

function placeName([first = "", ...rest]: readonly string[]): string {
  if (first === "args") return `argument ${Number(rest[0]) + 1}`;
  if (first === "flags") return `flag ${rest[0]}`;
  const inside = first === "body" ? rest.filter((key, index) => index > 0 || key !== "content") : rest;
  return [WORDS[first] ?? first, inside.join(".")].filter((word) => word !== "").join(" ");
}
