import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { shellWord } from "@mci-ts/primitives/shell-word";
import type { LockChange, ToolLock } from "mci-ts";
import { CliError } from "../cli-error.ts";
import { type Context, command } from "../command.ts";
import { saveText } from "../edit/save-text.ts";
import { oneLine, toJson } from "../print/escape-controls.ts";
import { plural } from "../print/plural.ts";
import { shortPath } from "../print/problems.ts";
import { discoverFile } from "../project/discover.ts";
import { loadClient } from "../project/load.ts";
import { ENV, FILE, LOCK_FILE, MCP_TIMEOUT } from "../project/options.ts";

export default command({
  summary: "Write down what every tool is now; 'mci run --locked' then serves nothing else.",
  details:
    "Toolsets and MCP servers included: their tool lists are fetched again, and a server that cannot be reached is an error.\n" +
    "Review the tools first ('mci list --verbose', 'mci show TOOL'). With --check nothing is written, and a difference is exit code 1.",
  operands: [{ name: "FILE", help: "The MCI file. Default: as for --file.", complete: "file" }],
  options: {
    check: { type: "boolean", help: "Compare with the lock; exit 1 if a tool changed, is new or is gone." },
    output: {
      type: "string",
      short: "o",
      value: "FILE",
      complete: "file",
      help: `The lock file. Default: ${LOCK_FILE} beside the MCI file.`,
    },
    format: { type: "string", value: "FORMAT", choices: ["text", "json"], help: "How to print the changes." },
    ...FILE,
    ...ENV,
    ...MCP_TIMEOUT,
  },
  examples: [
    { command: "mci lock", about: "After reviewing the tools" },
    { command: "mci lock --check", about: "In CI: is every tool still what was reviewed?" },
    { command: "mci run --locked", about: "Serve only what is in the lock" },
  ],
  async run({ values, operands: [operand] }, context) {
    const file = discoverFile(operand ?? values.file, context.cwd);
    const output =
      values.output === undefined ? join(dirname(file), LOCK_FILE) : resolve(context.cwd, values.output);
    const name = shortPath(output, context.cwd);
    const place = values.output === undefined ? [] : ["-o", values.output];
    const again = ["mci lock", ...[operand ?? values.file ?? [], place].flat().map(shellWord)].join(" ");
    const { compareLocks, readLock } = await import("mci-ts");
    const text = existsSync(output) ? readFileSync(output, "utf8") : undefined;
    const before = text === undefined ? undefined : await readLock(output);
    if (values.check && before === undefined)
      throw new CliError(`${name} does not exist.`, { hint: `Run '${again}' first.` });
    await using client = await loadClient(file, values, context, { strict: true, refreshMcpTools: true });
    const current = client.lock();
    const changes = before === undefined ? [] : compareLocks(before, current);
    if (!values.check) await write(output, current, text, name);
    printChanges(changes, values.format ?? "text", context);
    const tools = plural(Object.keys(current.tools).length, "tool");
    const state = values.check
      ? changes.length === 0
        ? `${name} matches`
        : `${name} does not match; review the changes, then run '${again}'`
      : `Wrote ${name}`;
    context.stderr.write(`${state}: ${tools}\n`);
    return values.check && changes.length > 0 ? 1 : 0;
  },
});

async function write(file: string, lock: ToolLock, before: string | undefined, name: string): Promise<void> {
  const text = `${JSON.stringify(lock, null, 2)}\n`;
  if (text !== before) await saveText(file, text, before, name);
}

function printChanges(changes: readonly LockChange[], format: "text" | "json", { stdout }: Context): void {
  if (format === "json") stdout.write(toJson({ changes }));
  else
    for (const { tool, change, source, parts } of changes)
      stdout.write(
        `${change.padEnd(7)}  ${oneLine(tool)} (${oneLine(source)})${parts.length === 0 ? "" : `: ${parts.map(oneLine).join(", ")}`}\n`,
      );
}
