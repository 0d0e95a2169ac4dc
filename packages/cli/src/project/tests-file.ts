import { basename, dirname, join } from "node:path";

/** The tests of an MCI file: `mci.tests.json` beside `mci.json` or `mci.yaml`. */
export function testsFile(file: string): string {
  return join(dirname(file), `${basename(file).replace(/\.(json|ya?ml)$/i, "")}.tests.json`);
}
