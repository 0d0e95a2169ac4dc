import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Problem } from "mci-ts";
import { type Context, command } from "../command.ts";
import { oneLine, toJson } from "../print/escape-controls.ts";
import { plural } from "../print/plural.ts";
import { problemPrinter, shortPath } from "../print/problems.ts";
import { style } from "../print/style.ts";
import { discoverFile } from "../project/discover.ts";
import { noToolPasses, readFilters } from "../project/filter.ts";
import { type EnvValues, projectEnv } from "../project/load.ts";
import { ENV, FILE, FILTER } from "../project/options.ts";
import { checkEnvironment } from "../validate/environment-checks.ts";

export default command({
  summary: "Check files and explain every problem, without starting or connecting to anything.",
  details:
    "Checks the format, templates, unknown keys, placeholders that can never have a value, toolsets, file templates,\n" +
    "shell injection, credentials sent to hosts of the caller's choice, commands missing from PATH, variables that are\n" +
    "not set or empty. Exits 1 if there is an error (with --strict: or a warning).",
  operands: [
    { name: "FILE", help: "Files to check. Default: as for --file.", multiple: true, complete: "file" },
  ],
  options: {
    strict: { type: "boolean", help: "Treat warnings as errors." },
    format: {
      type: "string",
      value: "FORMAT",
      choices: ["text", "json"],
      help: "How to print. Default text.",
    },
    ...FILTER,
    ...FILE,
    ...ENV,
  },
  examples: [
    { command: "mci validate", about: "The file of this folder" },
    { command: "mci validate --strict mci/*.mci.json", about: "In CI: toolset files too, warnings count" },
    { command: "mci validate --filter tags:read", about: "Only some tools, and what belongs to none" },
    { command: "mci validate --format json | jq '.problems[].message'", about: "For another program" },
  ],
  async run({ values, operands }, context) {
    const named = [...operands, ...(values.file === undefined ? [] : [values.file])];
    const files =
      named.length > 0
        ? named.map((file) => discoverFile(file, context.cwd))
        : [discoverFile(undefined, context.cwd)];
    const checked = await Promise.all(files.map((file) => check(file, values, context)));
    const failed = checked.filter(({ problems }) =>
      problems.some(({ severity }) => values.strict || severity === "error"),
    );
    if (values.format === "json") context.stdout.write(asJson(checked, failed.length === 0));
    else for (const result of checked) print(result, context);
    return failed.length > 0 ? 1 : 0;
  },
});

interface Checked {
  readonly file: string;
  readonly problems: readonly Problem[];
}

async function check(
  file: string,
  values: EnvValues & { readonly filter: readonly string[] },
  context: Context,
): Promise<Checked> {
  const [{ lintFile }, { values: env }] = await Promise.all([
    import("mci-ts"),
    projectEnv(file, values, context),
  ]);
  const filter = values.filter.length > 0 ? readFilters(values.filter) : undefined;
  const inspection = await lintFile(file, { env, filter });
  // A file that cannot be parsed has no tools at all, and its error says so.
  if (filter !== undefined && inspection.tools.length === 0 && inspection.files.length > 0)
    throw noToolPasses(
      filter,
      shortPath(file, context.cwd),
      inspection.problems.find(({ hint }) => hint?.startsWith("did you mean"))?.hint,
    );
  const skills = await checkSkills(file, inspection.problems);
  return {
    file,
    problems: inFileOrder([...inspection.problems, ...checkEnvironment(inspection, env), ...skills]),
  };
}

/** Skills beside the file that 'mci run' would not serve. */
async function checkSkills(file: string, problems: readonly Problem[]): Promise<Problem[]> {
  if (!existsSync(join(dirname(file), "skills")) || problems.some(({ severity }) => severity === "error"))
    return [];
  const { MCIClient } = await import("mci-ts");
  await using client = await MCIClient.load(file, { validating: true });
  const messages: string[] = [];
  await client.skills({ onWarning: (message) => messages.push(message) });
  return messages.map((message) => ({ file, message, severity: "warning" }));
}

/** Sorted by position, one file after the other. */
function inFileOrder(problems: readonly Problem[]): Problem[] {
  const files = [...new Set(problems.map(({ file }) => file))];
  return problems.toSorted(
    (a, b) =>
      files.indexOf(a.file) - files.indexOf(b.file) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  );
}

function asJson(checked: readonly Checked[], valid: boolean): string {
  const problems = checked.flatMap((result) => result.problems);
  const count = (severity: Problem["severity"]) =>
    problems.filter((problem) => problem.severity === severity).length;
  const report = {
    valid,
    errors: count("error"),
    warnings: count("warning"),
    files: checked.map(({ file }) => file),
    problems,
  };
  return toJson(report);
}

function print({ file, problems }: Checked, context: Context): void {
  const { stdout } = context;
  const printProblem = problemPrinter(context, stdout);
  for (const problem of problems) {
    printProblem(problem);
    stdout.write("\n");
  }
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const warnings = problems.length - errors;
  const counted = [
    ...(errors > 0 ? [plural(errors, "error")] : []),
    ...(warnings > 0 ? [plural(warnings, "warning")] : []),
  ].join(", ");
  const verdict =
    errors > 0 ? style(stdout, ["bold", "red"], "not valid") : style(stdout, ["bold", "green"], "valid");
  stdout.write(
    `${oneLine(shortPath(file, context.cwd))}: ${verdict}${counted === "" ? "" : ` (${counted})`}\n`,
  );
}
