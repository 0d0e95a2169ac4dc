import { command } from "../command.ts";
import { findCommand } from "../find-command.ts";
import { commandHelp, generalHelp } from "../help.ts";

export default command({
  summary: "Show every command, or the help of one.",
  operands: [{ name: "COMMAND", help: "The command to explain." }],
  options: {},
  examples: [
    { command: "mci help", about: "Every command" },
    { command: "mci help call", about: "Options and examples of one" },
  ],
  async run({ operands: [topic] }, { stdout }, commands) {
    if (topic === undefined) {
      const loaded = Object.entries(commands).map(async ([name, { alias, load }]) => ({
        name,
        alias,
        command: (await load()).default,
      }));
      stdout.write(generalHelp(await Promise.all(loaded), stdout));
      return 0;
    }
    const { name, load } = findCommand(commands, topic);
    stdout.write(commandHelp(name, (await load()).default, stdout));
    return 0;
  },
});
