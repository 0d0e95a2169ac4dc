import { readFileSync } from "node:fs";
import { extname, isAbsolute, relative } from "node:path";
import { isObject } from "@mci-ts/primitives/is-object";
import type { ExportedVariable } from "../clients/client.ts";
import type { Context } from "../command.ts";
import { variablesOf } from "../envs/variables.ts";
import { isCredentialName } from "../import/credentials.ts";
import { parseLoose } from "../import/parse-loose.ts";
import { projectEnv } from "../project/load.ts";

/** Variables that clients pass on to every program. */
const INHERITED = new Set([
  "HOME",
  "LOGNAME",
  "PATH",
  "SHELL",
  "TERM",
  "USER",
  "USERPROFILE",
  "APPDATA",
  "TEMP",
]);

/** What has to be passed on: what the file needs, and neither a fallback nor (by default) an env file gives. */
export async function neededVariables(
  file: string,
  context: Context,
  { withEnvFiles = true }: { readonly withEnvFiles?: boolean } = {},
): Promise<{ readonly needed: readonly ExportedVariable[]; readonly optional: readonly string[] }> {
  const { lintFile } = await import("mci-ts");
  const env = await projectEnv(file, { env: [], dotenv: [] }, context);
  const { envs } = await lintFile(file, { env: env.values });
  const publicEnv = (await readDocument(file)).publicEnv;
  const isPublic = new Set(Array.isArray(publicEnv) ? publicEnv : []);
  const variables = variablesOf(envs, env).filter(
    ({ name, source = "environment" }) => (!withEnvFiles || source === "environment") && !INHERITED.has(name),
  );
  return {
    needed: variables
      .filter(({ hasFallback }) => !hasFallback)
      .map(({ name, usedBy }) => ({
        name,
        isSecret: !isPublic.has(name) && isCredentialName(name),
        description: `${name}, used by ${usedBy.join(", ")}`,
      })),
    optional: variables.filter(({ hasFallback }) => hasFallback).map(({ name }) => name),
  };
}

/** What the client calls the server: the last part of the collection's name. */
export async function serverName(file: string): Promise<string> {
  const { metadata } = await readDocument(file);
  const name = isObject(metadata) && typeof metadata.name === "string" ? metadata.name : "";
  const slug = (name.split("/").at(-1) ?? "")
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 64);
  return slug === "" ? "tools" : slug;
}

/** The file as an argument: by the client's word for the folder of the project, or absolute. */
export function fileArgument(file: string, cwd: string, projectFolder: string | undefined): string {
  const path = relative(cwd, file);
  if (projectFolder === undefined || path.startsWith("..") || isAbsolute(path)) return file;
  const written = path.replaceAll("\\", "/");
  return projectFolder === "." ? written : `${projectFolder}/${written}`;
}

/** The file's own fields. The loader reports a file that cannot be read or parsed. */
export async function readDocument(file: string): Promise<Record<string, unknown>> {
  try {
    const text = readFileSync(file, "utf8");
    const isJson = extname(file).toLowerCase() === ".json";
    const document = isJson ? parseLoose(text) : (await import("yaml")).parse(text);
    return isObject(document) ? document : {};
  } catch {
    return {};
  }
}
