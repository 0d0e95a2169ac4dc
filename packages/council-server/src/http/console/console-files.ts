import { ConsoleFiles } from "@mci-ts/console";

// Written out: the declarations of this package must not refer to one that is not published.
interface Files {
  respond(path: string, acceptEncoding?: string): Response | undefined;
}

/** The built web console: beside the bundled service, or, when run from source, in its own package. */
export const consoleFiles: Files = new ConsoleFiles([
  new URL("./", import.meta.url),
  new URL("../../../../console/dist/", import.meta.url),
]);
