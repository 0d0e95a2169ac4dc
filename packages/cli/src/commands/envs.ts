import { command } from "../command.ts";
import { asEnvFile, asJson, asTable } from "../envs/print-variables.ts";
import { variablesOf } from "../envs/variables.ts";
import { oneLine } from "../print/escape-controls.ts";
import { problemPrinter, shortPath } from "../print/problems.ts";
import { discoverFile } from "../project/discover.ts";
import { projectEnv } from "../project/load.ts";
import { ENV, FILE } from "../project/options.ts";

export default command({
  summary: "List every variable the file needs, where, and whether it is set.",
  details:
    "Looks at every template of the file, its toolsets, MCP servers and file templates. Values are never shown.\n" +
    "Without --format: a table on a terminal, one line per variable with tabs between the fields elsewhere.",
  options: {
    format: {
      type: "string",
      value: "FORMAT",
      choices: ["table", "env", "json"],
      help: "How to print; env is a template for an env file.",
    },
    ...FILE,
    ...ENV,
  },
  examples: [
    { command: "mci envs", about: "What is needed, and what is missing" },
    { command: "mci envs --format env > .env.example.mci", about: "A file to fill in" },
  ],
  async run({ values }, context) {
    const file = discoverFile(values.file, context.cwd);
    const [{ lintFile }, env] = await Promise.all([import("mci-ts"), projectEnv(file, values, context)]);
    const { problems, envs } = await lintFile(file, { env: env.values });
    // With errors in the file (a missing toolset), the rest is still useful.
    const errors = problems.filter(({ severity }) => severity === "error");
    errors.forEach(problemPrinter(context, context.stderr));

    const { stdout, stderr, cwd } = context;
    const variables = variablesOf(envs, env);
    if (values.format === "json") stdout.write(asJson(variables));
    else if (variables.length === 0) {
      // With errors it is not known what the file needs.
      if (errors.length === 0) stderr.write(`${oneLine(shortPath(file, cwd))} needs no variables.\n`);
    } else if (values.format === "env") stdout.write(asEnvFile(variables, file));
    else stdout.write(asTable(variables, context, stdout.isTTY || values.format === "table"));
    return errors.length > 0 ? 1 : 0;
  },
});
