import { dirname, join } from "node:path";
import { lintFile } from "mci-ts";
import type { ServeOptions } from "../options.ts";
import type { FilesToWatch } from "./watch.ts";

/** The file, everything it includes, and the env files its variables come from. */
export function filesToWatch({
  file,
  env,
  envFiles = [],
}: Pick<ServeOptions, "file" | "env" | "envFiles">): FilesToWatch {
  let previous: readonly string[] = [file];
  return async () => {
    // Env files that cannot be read are reported when the file is loaded.
    const values = await env().catch(() => ({}));
    // Nothing of this is shown, so it need not stay in the project.
    const { files, libraryDir } = await lintFile(file, { env: values, folders: "any" });
    // A file that is broken for the moment lists nothing; what it included before stays watched.
    if (libraryDir !== undefined) {
      const folders = [libraryDir, dirname(file)];
      const usual = folders.flatMap((folder) => [join(folder, ".env"), join(folder, ".env.mci")]);
      // The library folder too: a missing toolset may be created there.
      previous = [...new Set([file, libraryDir, ...files, ...envFiles, ...usual])];
    }
    return previous;
  };
}
