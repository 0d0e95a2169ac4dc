import { dirname, join, relative, resolve, sep } from "node:path";
import { generateTypes } from "mci-ts/authoring";
import { usageError } from "../cli-error.ts";
import { command } from "../command.ts";
import { saveGenerated } from "../edit/save-generated.ts";
import { discoverFile } from "../project/discover.ts";
import { loadClient } from "../project/load.ts";
import { ENV, FILE } from "../project/options.ts";

const DEFAULT_OUTPUT = "mci-tools.d.ts";

export default command({
  summary: "Write TypeScript types for the tools: MCIClient.load<Tools>(…) then checks names and arguments.",
  details:
    "Toolsets and MCP servers included; a server that cannot be reached is an error, since its tools would be missing.\n" +
    "The same tools always give the same text, so that the file can be committed and compared.",
  operands: [{ name: "FILE", help: "The MCI file. Default: as for --file.", complete: "file" }],
  options: {
    output: {
      type: "string",
      short: "o",
      value: "FILE",
      complete: "file",
      help: `Where to write; - prints. Default: ${DEFAULT_OUTPUT} beside the MCI file.`,
    },
    check: { type: "boolean", help: "Write nothing; exit 1 if the file is not up to date." },
    ...FILE,
    ...ENV,
  },
  examples: [
    { command: "mci types", about: `Write ${DEFAULT_OUTPUT}` },
    { command: "mci types tools.mci.json -o src/tools.d.ts", about: "Another file, another place" },
    { command: "mci types --check", about: "In CI: were the types written again after the last change?" },
  ],
  async run({ values, operands }, context) {
    const file = discoverFile(operands[0] ?? values.file, context.cwd);
    const isPrinted = values.output === "-";
    if (isPrinted && values.check) throw usageError("--check compares a file, and '-o -' names none.");
    const output =
      values.output === undefined ? join(dirname(file), DEFAULT_OUTPUT) : resolve(context.cwd, values.output);
    await using client = await loadClient(file, values, context, { strict: true });
    const source = relative(isPrinted ? context.cwd : dirname(output), file)
      .split(sep)
      .join("/");
    const text = generateTypes(client.tools(), source);
    if (isPrinted) {
      context.stdout.write(text);
      return 0;
    }
    await saveGenerated(
      output,
      {
        ...{ command: "mci types", file, text, check: values.check, end: "." },
        options: values.output === undefined ? [] : ["-o", values.output],
        isGenerated: (before) => before.includes("Written by 'mci types'"),
        advice: "Choose another file with -o, or delete this one.",
      },
      context,
    );
    return 0;
  },
});
