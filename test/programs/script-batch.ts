/**
 * For `runScripts`: runs the scripts that are its arguments, each after the folder to run it in, one after another in this
 * process. On both outputs a line with the script's number and its exit code follows what the script wrote.
 */
import { pathToFileURL } from "node:url";
import { END_OF_SCRIPT } from "./run-script.ts";

class Exit extends Error {}

// A script that ends the process, e.g. because a program is missing, ends itself only.
process.exit = (code) => {
  process.exitCode = code ?? process.exitCode;
  throw new Exit();
};

let failed = false;
for (let index = 0; process.argv.length > 2; index++) {
  const [cwd, file] = process.argv.splice(2, 2) as [string, string];
  process.chdir(cwd);
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    if (!(error instanceof Exit)) {
      console.error(error);
      process.exitCode = 1;
    }
  }
  const code = Number(process.exitCode ?? 0);
  failed ||= code !== 0;
  for (const stream of [process.stdout, process.stderr]) stream.write(`${END_OF_SCRIPT} ${index} ${code}\n`);
  process.exitCode = undefined;
}
process.exitCode = failed ? 1 : 0;
