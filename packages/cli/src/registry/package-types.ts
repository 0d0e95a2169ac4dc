import { CliError } from "../cli-error.ts";
import { isPublicRegistry } from "../publish/registry-problems.ts";

type Json = Readonly<Record<string, unknown>>;

/** How packages of a registry are run, pinned to one version. A new type is one entry. */
export interface PackageType {
  readonly command: string;
  /** The words before the package's own arguments. `env`: names of the variables that it gets. */
  args(identifier: string, version: string, env: readonly string[]): string[];
  readonly identifier: RegExp;
  readonly version: RegExp;
}

const SEMVER = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

export const PACKAGE_TYPES: Readonly<Record<string, PackageType>> = {
  npm: {
    command: "npx",
    args: (identifier, version) => ["-y", `${identifier}@${version}`],
    identifier: /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/,
    version: SEMVER,
  },
  pypi: {
    command: "uvx",
    args: (identifier, version) => [`${identifier}@${version}`],
    identifier: /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/,
    version: /^\d+(?:\.\d+)*(?:[a-z]+\d*)?(?:\.?(?:post|dev)\d+)?(?:\+[a-z0-9.]+)?$/i,
  },
  nuget: {
    command: "dnx",
    args: (identifier, version) => [`${identifier}@${version}`, "--yes", "--"],
    identifier: /^[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?$/,
    version: /^\d+(?:\.\d+){1,3}(?:-[0-9A-Za-z.-]+)?$/,
  },
  oci: {
    command: "docker",
    // The tag or digest is part of the identifier.
    args: (identifier, _, env) => ["run", "-i", "--rm", ...env.flatMap((name) => ["-e", name]), identifier],
    identifier:
      /^[a-z0-9][a-z0-9._-]*(?::\d+)?(?:\/[a-z0-9][a-z0-9._-]*)+(?::(?!latest$)\w[\w.-]*|@sha256:[a-f0-9]{64})$/,
    version: /^/,
  },
};

/** The command of a package. Throws where it cannot be pinned, or comes from elsewhere than its public registry. */
export function packageCommand(
  entry: Json,
  env: readonly string[],
): { readonly command: string; readonly args: string[] } {
  const type = String(entry.registryType);
  const identifier = String(entry.identifier);
  const version = typeof entry.version === "string" ? entry.version : "";
  const kind = Object.hasOwn(PACKAGE_TYPES, type) ? PACKAGE_TYPES[type] : undefined;
  if (kind === undefined) throw refusal(`packages of type '${type}' cannot be run from here`);
  if (!kind.identifier.test(identifier) || identifier.length > 214)
    throw refusal(
      type === "oci"
        ? `the image '${identifier}' has no tag or digest, or is not an image`
        : `'${identifier}' is not the name of a package of type ${type}`,
    );
  if (!kind.version.test(version) || version.length > 255)
    throw refusal(`'${version}' is not one exact version of ${identifier}`);
  const base = entry.registryBaseUrl;
  if (base !== undefined && !isPublicRegistry(type, base))
    throw refusal(
      `${identifier} comes from ${base} and not from the public registry, which ${kind.command} would use`,
    );
  return { command: kind.command, args: kind.args(identifier, version, env) };
}

function refusal(reason: string): CliError {
  return new CliError(`The server cannot be added: ${reason}.`, {
    hint: "Nothing was changed. Choose another form of it with --package, or add the server by hand.",
  });
}
