import type { Problem } from "../errors.ts";
import { didYouMean } from "../load/validate/messages.ts";
import { jinjaReferences } from "../template/jinja/references.ts";
import { type Reference, references } from "../template/references.ts";
import { lookalikes } from "./foreign-syntax.ts";
import type { EnvUse, Spot, User } from "./result.ts";
import type { Setting } from "./settings.ts";
import { unknownName } from "./unknown-name.ts";

/** A text with placeholders, who renders it, and where its characters stand. */
export interface Reading {
  readonly source: string;
  readonly language: Setting["language"];
  readonly user: User;
  /** The properties a call may have, where they are known. */
  readonly declared?: readonly string[];
  /** Loop variables of the files that include it. Default: none. */
  readonly variables?: ReadonlySet<string>;
  spot(offset: number): Spot;
}

/** What a text reads: the env variables; and what is written in it without effect. */
export function readingUses({ source, language, user, declared, variables = new Set(), spot }: Reading): {
  envs: EnvUse[];
  problems: Problem[];
} {
  // In Jinja a name may come from anywhere, and an unknown one prints nothing.
  const { references: found, unknown } =
    language === "jinja2"
      ? { references: jinjaReferences(source), unknown: [] }
      : references(source, language, [...variables]);
  const named = found.flatMap(({ path: [name], ...rest }) => (name === undefined ? [] : [{ ...rest, name }]));
  return {
    envs: named
      .filter(({ root }) => root === "env")
      .map(({ name, hasFallback, offset }) => ({ name, hasFallback, ...user, ...spot(offset) })),
    problems: [
      ...named
        .filter(({ root, name }) => root === "props" && declared?.includes(name) === false)
        .map((reference) => unreachable(reference, declared ?? [], spot)),
      ...unknown.map((name) => unknownName(name, source, declared ?? [], spot(name.offset))),
      ...(language === "text" || language === "template" ? lookalikes(source, spot) : []),
    ],
  };
}

function unreachable(
  { name, offset }: Pick<Reference, "offset"> & { readonly name: string },
  declared: readonly string[],
  spot: Reading["spot"],
): Problem {
  return {
    message: `'props.${name}' never has a value: inputSchema does not declare '${name}'`,
    hint:
      didYouMean(name, declared) ?? "declare it under inputSchema.properties, or take the placeholder out",
    severity: "warning",
    ...spot(offset),
  };
}
