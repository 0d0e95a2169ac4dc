import type { Problem } from "../errors.ts";
import { didYouMean } from "../load/validate/messages.ts";
import { jinjaReferences } from "../template/jinja/references.ts";
import { type Reference, references } from "../template/references.ts";
import { foreignSyntax } from "./foreign-syntax.ts";
import type { Consumer, EnvUse, Location } from "./result.ts";
import type { WrittenSetting } from "./settings.ts";
import { templateWarnings } from "./template-warnings.ts";
import { unknownName } from "./unknown-name.ts";

/** A text with placeholders, its consumer, and the positions of its characters. */
export interface TemplateUse {
  readonly source: string;
  readonly language: WrittenSetting["language"];
  readonly consumer: Consumer;
  /** The properties a call may have, where they are known. */
  readonly declared?: readonly string[];
  /** The schema of the tool, for names that only a declaration makes readable. */
  readonly inputSchema?: unknown;
  /** Loop variables of the files that include it. Default: none. */
  readonly variables?: ReadonlySet<string>;
  locationOf(offset: number): Location;
}

/** The env variables a text reads, and the placeholders in it that have no effect. */
export function analyzeTemplate({
  source,
  language,
  consumer,
  declared,
  inputSchema,
  variables = new Set(),
  locationOf,
}: TemplateUse): {
  envs: EnvUse[];
  problems: Problem[];
} {
  // In Jinja a name may come from anywhere, and an unknown one prints nothing.
  const { references: found, unknown } =
    language === "jinja2"
      ? { references: jinjaReferences(source), unknown: [] }
      : references(source, language, [...variables], inputSchema);
  const named = found.flatMap(({ path: [name], ...rest }) => (name === undefined ? [] : [{ ...rest, name }]));
  return {
    envs: named
      .filter(({ root }) => root === "env")
      .map(({ name, hasFallback, offset }) => ({ name, hasFallback, ...consumer, ...locationOf(offset) })),
    problems: [
      ...named
        .filter(({ root, name }) => root === "props" && declared?.includes(name) === false)
        .map((reference) => unreachable(reference, declared ?? [], locationOf)),
      ...unknown.map((name) => unknownName(name, source, declared ?? [], locationOf(name.offset))),
      ...(language === "text" || language === "template"
        ? [
            ...foreignSyntax(source, locationOf),
            ...templateWarnings(source, language, inputSchema).map(
              ({ offset, message, hint }): Problem => ({
                message,
                hint,
                severity: "warning",
                ...locationOf(offset),
              }),
            ),
          ]
        : []),
    ],
  };
}

function unreachable(
  { name, offset }: Pick<Reference, "offset"> & { readonly name: string },
  declared: readonly string[],
  locationOf: TemplateUse["locationOf"],
): Problem {
  return {
    message: `'props.${name}' never has a value: inputSchema does not declare '${name}'`,
    hint: didYouMean(name, declared) ?? "declare it under inputSchema.properties, or remove the placeholder",
    severity: "warning",
    ...locationOf(offset),
  };
}
