import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { CliError, usageError } from "../cli-error.ts";
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
  summary: "Add a toolset or an MCP server of a registry to the file, or change how it is included.",
  details:
    "A name with a dot and a slash, such as io.github.user/weather, is that of a server in the registry that --registry or\n" +
    "MCI_REGISTRY names: it is pinned to the version, locked, and gets only the variables that its entry declares.\n" +
    "Edits JSON or YAML in place: comments, order and formatting stay. Adding a toolset that is there already changes\n" +
    "only what is given: without --filter its filter stays.",
  operands: [
    {
      name: "NAME",
      help: "Of a toolset in the library folder, or of a server in a registry (with @VERSION: that version).",
      required: true,
    },
  ],
  options: {
    filter: {
      type: "string",
      value: "TYPE:A,B",
      help: "Include some of its tools only: only:, except:, tags:, withoutTags:.",
    },
    prefix: { type: "string", value: "PREFIX", help: "Prefix for the names of its tools." },
    registry: {
      type: "string",
      value: "URL",
      help: "The registry of MCP servers to look in. Default: MCI_REGISTRY; none is asked otherwise.",
    },
    as: {
      type: "string",
      value: "NAME",
      help: "What the file calls the server. Default: the last part of its name.",
    },
    package: {
      type: "string",
      value: "TYPE",
      choices: ["npm", "pypi", "oci", "nuget", "remote"],
      help: "Which form of the server. Default: the first that can be run.",
    },
    "no-lock": { type: "boolean", help: "Do not start the server to lock its tools." },
    force: {
      type: "boolean",
      help: "Add a toolset even if the library folder does not have it (yet); replace a server of that name.",
    },
    ...FILE,
  },
  examples: [
    { command: "mci add weather", about: "Include mci/weather.mci.json or the folder mci/weather" },
    {
      command: "mci add github --filter only:list_issues,list_prs --prefix gh_",
      about: "Two of its tools, renamed",
    },
    {
      command: "mci add io.github.user/weather@1.2.0 --registry https://registry.modelcontextprotocol.io",
      about: "An MCP server, pinned and locked",
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
    if (SERVER_NAME.test(name)) {
      const registry = values.registry ?? context.env.MCI_REGISTRY;
      if (registry === undefined || registry === "") throw noRegistry(name);
      const { addServer } = await import("../registry/add-server.ts");
      const options = { as: values.as, form: values.package, force: values.force, lock: !values["no-lock"] };
      return addServer({ ...reference, ...options, file, registry }, context);
    }
    if (values.registry !== undefined || values.as !== undefined || values.package !== undefined)
      throw usageError(
        `'${name}' is not the name of a server in a registry.`,
        "Such names have a dot and a slash: io.github.user/weather.",
      );
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

/** `io.github.user/weather`, `com.example/x@1.0.0`. */
const SERVER_NAME = /^[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)+\/[a-zA-Z0-9._-]+(?:@\S+)?$/;

function noRegistry(name: string): CliError {
  return usageError(
    `'${name}' is the name of a server in a registry, and no registry is named.`,
    "Pass --registry https://registry.modelcontextprotocol.io or another, or set MCI_REGISTRY.",
  );
}

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
