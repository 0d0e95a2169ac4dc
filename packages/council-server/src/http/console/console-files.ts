import { ConsoleFiles } from "@mci-ts/console";

// Written out: the declarations of this package must not refer to one that is not published.
interface Files {
  respond(path: string, acceptEncoding?: string): Response | undefined;
}

/** The built web console: in a folder beside the bundled service (whose files are all in one folder), or, when run from source, in its own package. */
export const consoleFiles: Files = new ConsoleFiles([
  new URL("./console/", import.meta.url),
  new URL("../../../../console/dist/", import.meta.url),
]);
