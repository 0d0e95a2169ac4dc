import fs, { type Stats } from "node:fs";
import { isAbsolute, join, relative, resolve, sep, win32 } from "node:path";
import { closestMatch } from "@mci-ts/primitives/closest-match";

/** The files of a toolset, or why it cannot be resolved. */
export type Resolved =
  | { readonly files: readonly string[]; readonly directory?: string }
  | {
      readonly code: "toolset_not_found" | "schema_invalid";
      readonly message: string;
      readonly hint?: string;
    };

const EXTENSIONS = [".mci.json", ".mci.yaml", ".mci.yml"];

/** Why a library directory cannot be used; undefined if it can. */
export async function libraryProblem(library: string): Promise<string | undefined> {
  const found = await statIfExists(library);
  if (found === undefined) return `Library directory not found: ${library}`;
  return found.isDirectory() ? undefined : `Library path is not a directory: ${library}`;
}

/**
 * A name is a directory of the library, else a file in it, else a file without its extension. The result is always
 * inside the library, also when symbolic links are followed.
 */
export async function resolveToolset(library: string, name: string): Promise<Resolved> {
  if (climbs(name)) return outside(name, library);
  const path = resolve(library, name);
  const found = await statIfExists(path);
  if (found?.isDirectory()) return directoryFiles(library, name, path);
  for (const file of [path, ...EXTENSIONS.map((extension) => path + extension)]) {
    if (!(await statIfExists(file))?.isFile()) continue;
    return (await isInside(library, file)) ? { files: [file] } : outside(name, library);
  }
  return {
    code: "toolset_not_found",
    message: `Toolset not found: ${name}. Looked for directory, file, or file with .mci.json/.mci.yaml/.mci.yml extension in ${library}`,
    hint: await similar(library, name),
  };
}

async function directoryFiles(library: string, name: string, directory: string): Promise<Resolved> {
  const listed = await fs.promises.readdir(directory).catch((error: NodeJS.ErrnoException) => error);
  if (listed instanceof Error) {
    const message = `Toolset directory cannot be read (${listed.code}): ${directory}`;
    return { code: "toolset_not_found", message };
  }
  const names = listed.filter((file) => EXTENSIONS.some((extension) => file.endsWith(extension)));
  const paths = names.sort().map((file) => join(directory, file));
  // Skips broken links: some editors create one beside each open file.
  const found = await Promise.all(paths.map(statIfExists));
  const files = paths.filter((_, index) => found[index] !== undefined);
  const inside = await Promise.all([directory, ...files].map((path) => isInside(library, path)));
  if (inside.includes(false)) return outside(name, library);
  if (files.length > 0) return { files, directory };
  return {
    code: "toolset_not_found",
    message: `No .mci.json, .mci.yaml, or .mci.yml files found in toolset directory: ${directory}`,
  };
}

/** Checks the name only, for any operating system: absolute, with "..", or the library itself. */
function climbs(name: string): boolean {
  const steps = name.split(/[\\/]/).filter((step) => step !== "" && step !== ".");
  return (
    isAbsolute(name) ||
    win32.isAbsolute(name) ||
    /^[a-z]:/i.test(name) ||
    steps.length === 0 ||
    steps.includes("..")
  );
}

async function isInside(library: string, path: string): Promise<boolean> {
  try {
    return liesBelow(await fs.promises.realpath(library), await fs.promises.realpath(path));
  } catch {
    // Removed meanwhile.
    return false;
  }
}

/** Whether a path lies in a folder and is not the folder itself. Both are absolute, without symbolic links. */
export function liesBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function outside(name: string, library: string): Resolved {
  return {
    code: "schema_invalid",
    message: `Toolset '${name}' lies outside the library directory ${library}`,
    hint: "name a file or a directory inside it, or set libraryDir",
  };
}

async function statIfExists(path: string): Promise<Stats | undefined> {
  // Also for names that are not valid paths.
  return fs.promises.stat(path).catch(() => undefined);
}

async function similar(library: string, name: string): Promise<string | undefined> {
  const names = (await fs.promises.readdir(library).catch(() => [])).map((file) =>
    file.replace(/\.mci\.(json|ya?ml)$/, ""),
  );
  const suggestion = closestMatch(name, names);
  return suggestion === undefined ? undefined : `did you mean '${suggestion}'?`;
}
