import { objectsIn } from "@mci-ts/primitives/is-object";
import type { ExportedVariable } from "../clients/client.ts";
import { type Identity, TOKEN_HEADER } from "./card.ts";
import { SERVER_SCHEMA } from "./schemas.ts";

type Json = Readonly<Record<string, unknown>>;

interface PackageName {
  readonly type: string;
  readonly identifier: string;
  readonly version: string | undefined;
}

export interface EntryOptions {
  readonly identity: Identity;
  /** What runs it. Empty: those of the entry that is there. */
  readonly packages: readonly PackageName[];
  /** Where it runs already. Default: those of the entry that is there. */
  readonly url?: string | undefined;
  readonly needsToken: boolean;
  readonly needed: readonly ExportedVariable[];
  readonly optional: readonly string[];
}

/**
 * The entry of a registry (`server.json`) for a file. Who serves and which variables are needed comes from the file;
 * what else an entry that is there says (title, icons, repository, arguments) stays.
 */
export function registryEntry(before: Json, options: EntryOptions): Json {
  const { identity, packages, url, needsToken } = options;
  const old = objectsIn(before.packages);
  const chosen =
    packages.length === 0
      ? old
      : packages.map((each) => ({
          ...old.find(({ identifier }) => identifier === each.identifier),
          registryType: each.type,
          identifier: each.identifier,
          ...(each.version === undefined ? {} : { version: each.version }),
          transport: { type: "stdio" },
        }));
  const remotes =
    url === undefined
      ? before.remotes
      : [{ type: "streamable-http", url, ...(needsToken ? { headers: [TOKEN_HEADER] } : {}) }];
  const { name, description, version } = identity;
  return {
    ...before,
    $schema: SERVER_SCHEMA,
    name,
    description,
    version,
    ...(chosen.length > 0 ? { packages: chosen.map((each) => withVariables(each, options)) } : {}),
    ...(remotes === undefined ? {} : { remotes }),
  };
}

/** The variables that the file needs; what was written about one stays. */
function withVariables(each: Json, { needed, optional }: EntryOptions): Json {
  const { environmentVariables, ...rest } = each;
  const old = objectsIn(environmentVariables);
  const about = (name: string) => old.find((variable) => variable.name === name) ?? {};
  const variables = [
    ...needed.map(({ name, description, isSecret }) => ({
      ...{ name, description },
      ...about(name),
      isRequired: true,
      ...(isSecret ? { isSecret } : {}),
    })),
    ...optional.map((name) => ({ name, ...about(name), isRequired: false })),
  ].map(({ ...variable }: Json) => {
    // A value belongs to who runs the server.
    if (variable.isSecret !== true) return variable;
    return Object.fromEntries(
      Object.entries(variable).filter(([key]) => key !== "value" && key !== "default"),
    );
  });
  return variables.length === 0 ? rest : { ...rest, environmentVariables: variables };
}
