import { ConsoleFiles } from "@mci-ts/console";

/** The built web console: beside the bundled service, or, when run from source, in its own package. */
export const consoleFiles = new ConsoleFiles([
  new URL("./console/", import.meta.url),
  new URL("../../../console/dist/", import.meta.url),
]);
