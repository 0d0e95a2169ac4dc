import { command } from "../command.ts";
import { bash } from "../completion/bash.ts";
import { fish } from "../completion/fish.ts";
import { completionSpec } from "../completion/spec.ts";
import { zsh } from "../completion/zsh.ts";
import { oneLine } from "../print/escape-controls.ts";
import { discoverFile } from "../project/discover.ts";
import { loadClient } from "../project/load.ts";
import { FILE } from "../project/options.ts";

const SHELLS = { bash, zsh, fish } as const;

export default command({
  summary: "Print a completion script for bash, zsh or fish.",
  details:
    "The scripts complete commands, options, files and names of tools; for the latter they call 'mci completion tools'.",
  operands: [
    {
      name: "SHELL",
      help: "bash, zsh or fish.",
      required: true,
      choices: Object.keys(SHELLS),
      hiddenChoices: ["tools"],
    },
  ],
  options: { ...FILE },
  examples: [
    { command: "source <(mci completion bash)", about: "In ~/.bashrc" },
    { command: "source <(mci completion zsh)", about: "In ~/.zshrc, after compinit" },
    { command: "mci completion fish > ~/.config/fish/completions/mci.fish", about: "For fish" },
  ],
  async run({ values, operands: [shell = ""] }, context, commands) {
    if (shell === "tools") {
      // Pressing the tab key must not start servers.
      const file = discoverFile(values.file, context.cwd);
      const options = { fetchMcpTools: false };
      await using client = await loadClient(file, { env: [], dotenv: [] }, context, options);
      context.stdout.write(
        client
          .tools()
          .map((tool) => `${oneLine(tool.name)}\n`)
          .join(""),
      );
      return 0;
    }
    const words = Object.entries(commands).map(async ([name, { alias, load }]) =>
      completionSpec(name, alias, (await load()).default),
    );
    context.stdout.write(SHELLS[shell as keyof typeof SHELLS](await Promise.all(words)));
    return 0;
  },
});
