import { terminalInput } from "../call/ask-person.ts";
import { printResult } from "../call/print-result.ts";
import { readProperties } from "../call/properties.ts";
import { CliError, usageError } from "../cli-error.ts";
import { command } from "../command.ts";
import { spinner } from "../print/spinner.ts";
import { discoverFile } from "../project/discover.ts";
import { loadFor } from "../project/load.ts";
import { ENV, FILE, MCP_TIMEOUT, MILLISECONDS, readNumber } from "../project/options.ts";
import { loadServer, SERVER } from "../project/server.ts";

export default command({
  summary: "Execute one tool.",
  details:
    "Values are converted as the tool's inputSchema says: count=3 is a number where it asks for one, a key given\n" +
    "several times is a list. KEY=@FILE uses the file's text as the value; write @@ for a value that starts with @.\n" +
    "Exits 0 if the tool succeeded, 1 if it failed, 2 if the name or the values are invalid.",
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
      help: "Write images and audio to this file (or the text, if there is nothing else).",
    },
    timeout: {
      type: "string",
      value: "MS",
      help: "Time limit in milliseconds. Default: the tool's own timeout.",
    },
    "dry-run": {
      type: "boolean",
      help: "Print the request or command, secrets masked, and send or start nothing.",
    },
    ...FILE,
    ...SERVER,
    ...ENV,
    ...MCP_TIMEOUT,
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
    { command: "mci call create_issue title=Bug --dry-run", about: "See the request without sending it" },
    {
      command: "mci call --server https://mcp.example.com/mcp search q=cats",
      about: "A tool of an MCP server, without a file",
    },
    { command: "mci call screenshot url=https://example.com --output page.png", about: "Save an image" },
  ],
  async run({ values, operands: [name = "", ...pairs] }, context) {
    const timeout =
      values.timeout === undefined
        ? undefined
        : readNumber("timeout", values.timeout, MILLISECONDS, "milliseconds", 5000);
    const { server } = values;
    const progress = spinner(context.stderr);
    const onInput = terminalInput(context, () => progress.stop());
    await using client =
      server === undefined
        ? await loadFor(name, discoverFile(values.file, context.cwd), values, context, { onInput })
        : await loadServer(server, values, context);
    const properties = await readProperties(
      { pairs, params: values.params, schema: client.getToolSchema(name) },
      context,
    );

    const [ignored] = await client.ignoredArguments(name, properties);
    if (ignored !== undefined) {
      const among = Object.keys((client.getToolSchema(name)["properties"] ?? {}) as object);
      const hint =
        server === undefined
          ? `Run 'mci show ${name}' to see what it takes.`
          : "Run 'mci list --verbose' with the same --server to see what it takes.";
      throw usageError(`Tool '${name}' has no property '${ignored}'.`, hint, { name: ignored, among });
    }
    if (values["dry-run"]) {
      const { printPreview } = await import("../call/print-preview.ts");
      printPreview(await client.preview(name, properties), values.format ?? "text", context.stdout);
      return 0;
    }
    progress.show(`Running ${name}`);
    const deadline = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
    try {
      const result = await client.execute(name, properties, {
        signal: deadline ? AbortSignal.any([context.signal, deadline]) : context.signal,
        ...(onInput && { onInput }),
        onProgress: ({ message }) => message && progress.show(`${name}: ${message}`),
      });
      progress.stop();
      if (result.isError && deadline?.aborted) {
        throw new CliError(`'${name}' did not finish within ${timeout} ms.`, {
          hint: "Give it more time with --timeout.",
        });
      }
      const options = { format: values.format ?? "text", output: values.output, properties };
      return printResult(result, options, context);
    } finally {
      progress.stop();
    }
  },
});
