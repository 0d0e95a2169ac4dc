import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { CliError } from "../cli-error.ts";
import { type Context, command } from "../command.ts";
import { saveText } from "../edit/save-text.ts";
import { oneLine } from "../print/escape-controls.ts";
import { problemPrinter, shortPath } from "../print/problems.ts";
import { style } from "../print/style.ts";
import { discoverFile } from "../project/discover.ts";
import { readFilter } from "../project/filter.ts";
import { projectEnv } from "../project/load.ts";
import { FILE } from "../project/options.ts";

export default command({
  summary: "Add a toolset to the file, or change how it is included.",
  details:
    "Edits JSON or YAML in place: comments, order and formatting stay. Adding a toolset that is there already changes\n" +
    "only what is given: without --filter its filter stays.",
  operands: [{ name: "TOOLSET", help: "Its name in the library folder.", required: true }],
  options: {
    filter: {
      type: "string",
      value: "TYPE:A,B",
      help: "Include some of its tools only: only:, except:, tags:, withoutTags:.",
    },
    prefix: { type: "string", value: "PREFIX", help: "Prefix for the names of its tools." },
    force: { type: "boolean", help: "Add it even if the library folder does not have it (yet)." },
    ...FILE,
  },
  examples: [
    { command: "mci add weather", about: "Include mci/weather.mci.json or the folder mci/weather" },
    {
      command: "mci add github --filter only:list_issues,list_prs --prefix gh_",
      about: "Two of its tools, renamed",
    },
  ],
  async run({ values, operands: [name = ""] }, context) {
    const { cwd, stdout } = context;
    const filter =
      values.filter === undefined
        ? undefined
        : readFilter(values.filter, ["only", "except", "tags", "withoutTags", "without-tags"]);
    const file = discoverFile(values.file, cwd);
    const reference = {
      name,
      filter: filter && {
        type: filter.type === "without-tags" ? "withoutTags" : filter.type,
        value: filter.values.join(","),
      },
      prefix: values.prefix,
    };
    const before = read(file);
    const edit = await editor(file);
    const after = edit(before, reference);
    const fileName = oneLine(shortPath(file, cwd));
    const toolset = oneLine(name);
    if (after === before) {
      stdout.write(`${fileName} has toolset '${toolset}' already; nothing to change.\n`);
    } else {
      if (!values.force)
        await (await import("../edit/require-toolset.ts")).requireToolset(name, file, context);
      await saveText(file, after, before, fileName);
      stdout.write(`${style(stdout, "green", "Added")} toolset '${toolset}' to ${fileName}\n`);
      if (filter)
        stdout.write(`  Filter: ${reference.filter?.type}:${oneLine(reference.filter?.value ?? "")}\n`);
    }
    await warn(file, context);
    return 0;
  },
});

/** Warns if the toolset is broken, clashes with another, or does not exist yet. The edit stays. */
async function warn(file: string, context: Context): Promise<void> {
  const { lintFile } = await import("mci-ts");
  const { values } = await projectEnv(file, { env: [], dotenv: [] }, context);
  const { problems } = await lintFile(file, { env: values });
  const print = problemPrinter(context, context.stderr);
  for (const problem of problems) {
    const isOfToolset = problem.file !== file && problem.severity === "error";
    if (isOfToolset || problem.path?.startsWith("toolsets")) print({ ...problem, severity: "warning" });
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const message = code === "ENOENT" ? `File not found: ${file}` : `Cannot read ${file} (${code})`;
    throw new CliError(message, { hint: "Run 'mci init' to create a file, or check --file.", cause });
  }
}

async function editor(file: string) {
  const extension = extname(file).toLowerCase();
  if (extension === ".json") return (await import("../edit/edit-json.ts")).addToJson;
  if (extension === ".yaml" || extension === ".yml") return (await import("../edit/edit-yaml.ts")).addToYaml;
  throw new CliError(`Unsupported file extension '${extension}'.`, {
    hint: "MCI files end in .json, .yaml or .yml.",
  });
}
