import { shellWord } from "@mci-ts/primitives/shell-word";
import manifest from "../package.json" with { type: "json" };
import { type CliError, usageError } from "./cli-error.ts";
import type { CommandTable, Context } from "./command.ts";
import { findCommand } from "./find-command.ts";

/*
 * OPEN FIRST. The whole flow:
 *
 *   argv -find-> Command -readArguments-> Input -run-> exit code
 *
 * 0: it worked; 1: it did not (a broken file, a tool that failed); 2: the command was called wrongly.
 */

const COMMANDS: CommandTable = {
  init: { alias: "install", load: () => import("./commands/init.ts") },
  list: { load: () => import("./commands/list.ts") },
  validate: { load: () => import("./commands/validate.ts") },
  call: { load: () => import("./commands/call.ts") },
  show: { load: () => import("./commands/show.ts") },
  envs: { load: () => import("./commands/envs.ts") },
  add: { load: () => import("./commands/add.ts") },
  import: { load: () => import("./commands/import.ts") },
  export: { load: () => import("./commands/export.ts") },
  publish: { load: () => import("./commands/publish.ts") },
  lock: { load: () => import("./commands/lock.ts") },
  login: { load: () => import("./commands/logins/login.ts") },
  logout: { load: () => import("./commands/logins/logout.ts") },
  logins: { load: () => import("./commands/logins/logins.ts") },
  run: { alias: "serve", load: () => import("./commands/run.ts") },
  ui: { load: () => import("./commands/ui.ts") },
  skill: { load: () => import("./commands/skill.ts") },
  types: { load: () => import("./commands/types.ts") },
  schema: { load: () => import("./commands/schema.ts") },
  completion: { load: () => import("./commands/completion.ts") },
  help: { load: () => import("./commands/help.ts") },
};

/** Runs one command line. Never throws, never touches the process: that is for `bin.ts`. */
export async function main(argv: readonly string[], context: Context): Promise<number> {
  try {
    return await dispatch(argv, context);
  } catch (error) {
    const { printError } = await import("./print/error.ts");
    return printError(error, context);
  }
}

async function dispatch([first, ...rest]: readonly string[], context: Context): Promise<number> {
  if (first === "--version" || first === "-V") {
    context.stdout.write(`${manifest.version}\n`);
    return 0;
  }
  if (first === "version" || first === "-v")
    throw usageError(
      `mci has no ${first === "-v" ? "option" : "command"} '${first}'.`,
      "Write mci --version.",
    );
  const commandName = first === undefined || first === "--help" || first === "-h" ? "help" : first;
  if (commandName.startsWith("-")) throw optionFirst(commandName, rest);
  const { name, load } = findCommand(COMMANDS, commandName);

  const [{ default: command }, { readArguments }] = await Promise.all([load(), import("./arguments.ts")]);
  const input = readArguments(name, command, rest);
  if (input !== undefined) return command.run(input, context, COMMANDS);
  const { commandHelp } = await import("./help.ts");
  context.stdout.write(commandHelp(name, command, context.stdout));
  return 0;
}

/** The same words in the order that works, if a command is among them. */
function optionFirst(option: string, rest: readonly string[]): CliError {
  const at = rest.findIndex((word) => Object.hasOwn(COMMANDS, word));
  const words = [rest[at]!, option, ...rest.toSpliced(at, 1)];
  const order = at < 0 ? "COMMAND [OPTIONS]" : words.map(shellWord).join(" ");
  return usageError("Options come after the command.", `Write mci ${order}`);
}
