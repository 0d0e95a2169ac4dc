import type { MCIClient } from "mci-ts";
import { printResult } from "../call/print-result.ts";
import { readProperties } from "../call/properties.ts";
import { type Context, command } from "../command.ts";
import { Failure, usage } from "../failure.ts";
import { spinner } from "../print/spinner.ts";
import { discoverFile } from "../project/discover.ts";
import { type EnvValues, loadClient } from "../project/load.ts";
import { ENV, FILE } from "../project/options.ts";

export default command({
  summary: "Execute one tool.",
  details:
    "Values are read as the tool's inputSchema wants them: count=3 is a number where it asks for one, a key given\n" +
    "several times is a list. KEY=@FILE takes the file's text as the value; write @@ for a value that starts with @.\n" +
    "Exits 0 if the tool succeeded, 1 if it failed, 2 if the name or the values do not fit.",
  operands: [
    { name: "TOOL", help: "Name of the tool.", required: true, complete: "tool" },
    { name: "KEY=VALUE", help: "Properties for it.", multiple: true },
  ],
  options: {
    params: {
      type: "string",
      short: "p",
      value: "JSON|@FILE|-",
      help: "Properties as a JSON object, from a file or from standard input; KEY=VALUE wins over them.",
    },
    format: {
      type: "string",
      value: "FORMAT",
      choices: ["text", "json"],
      help: "Print the text, or the whole result with its metadata. Default text.",
    },
    output: {
      type: "string",
      short: "o",
      value: "PATH",
      complete: "file",
      help: "Write images and sounds there (or the text, if there is nothing else).",
    },
    timeout: {
      type: "string",
      value: "MS",
      help: "Give up after so many milliseconds. Default: the tool's own timeout.",
    },
    ...FILE,
    ...ENV,
  },
  examples: [
    { command: "mci call greet name=Ada", about: "One property" },
    {
      command: "mci call create_issue title=Bug body=@report.md labels=bug labels=ui",
      about: "A file as value, and a list",
    },
    {
      command: 'echo \'{"q": "cats"}\' | mci call search --params - --format json',
      about: "Properties and result as JSON",
    },
    { command: "mci call screenshot url=https://example.com --output page.png", about: "Keep an image" },
  ],
  async run({ values, operands: [name = "", ...pairs] }, context) {
    const timeout = values.timeout === undefined ? undefined : readTimeout(values.timeout);
    const file = discoverFile(values.file, context.cwd);
    await using client = await loadFor(name, file, values, context);
    const properties = await readProperties(
      { pairs, params: values.params, schema: client.getToolSchema(name) },
      context,
    );

    const progress = spinner(context.stderr);
    progress.show(`Running ${name}`);
    const deadline = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
    try {
      const result = await client.execute(name, properties, {
        signal: deadline ? AbortSignal.any([context.signal, deadline]) : context.signal,
        onProgress: ({ message }) => message && progress.show(`${name}: ${message}`),
      });
      progress.stop();
      if (result.isError && deadline?.aborted) {
        throw new Failure(`'${name}' did not finish within ${timeout} ms.`, {
          hint: "Give it more time with --timeout.",
        });
      }
      const options = { format: values.format ?? "text", output: values.output, given: properties };
      return printResult(result, options, context);
    } finally {
      progress.stop();
    }
  },
});

/** MCP servers are asked for their tools only if nobody else has the one that is wanted. */
async function loadFor(tool: string, file: string, values: EnvValues, context: Context): Promise<MCIClient> {
  const near = await loadClient(file, values, context, { askMcpServers: false });
  if (near.listTools().includes(tool)) return near;
  await near.close();
  return loadClient(file, values, context);
}

function readTimeout(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw usage(`--timeout cannot be '${text}'.`, "Write milliseconds, e.g. --timeout 5000.");
  return Number(text);
}
