import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CliError } from "../cli-error.ts";
import { command } from "../command.ts";
import { SERVER, STARTER, TOOLSET, WELCOME } from "../init/starter.ts";
import { shortPath } from "../print/problems.ts";
import { style } from "../print/style.ts";
import { defaultFile } from "../project/discover.ts";

export default command({
  summary: "Create a starter file with one working tool of each kind.",
  details:
    "Creates the MCI file, a library folder with a toolset and the JSON Schema for editors, and .gitignore entries.\nNever overwrites existing files.",
  options: {
    yaml: { type: "boolean", help: "Write YAML instead of JSON." },
    dir: {
      type: "string",
      value: "DIR",
      complete: "directory",
      help: "Where to create it. Default: the current folder.",
    },
  },
  examples: [
    { command: "mci init", about: "Start here, in JSON" },
    { command: "mci init --yaml --dir my-tools", about: "In YAML, in a new folder" },
  ],
  async run({ values }, { cwd, stdout }) {
    const root = resolve(cwd, values.dir ?? ".");
    // A second main file would hide the first, or be ignored.
    const existing = defaultFile(root);
    const [main, ...others] = await starterFiles(values.yaml ? "yaml" : "json");
    for (const file of [{ ...main!, path: existing ?? main!.path }, ...others]) {
      const path = join(root, file.path);
      const done = create(path, file);
      const mark =
        done === "Kept" ? style(stdout, "yellow", "Kept   ") : style(stdout, "green", done.padEnd(7));
      stdout.write(`${mark} ${shortPath(path, cwd)}${done === "Kept" ? " (already there)" : ""}\n`);
    }
    const go = root === cwd ? "" : `cd ${shortPath(root, cwd)} && `;
    const call = existing === undefined ? "  mci call greet name=Ada\n" : "";
    stdout.write(`\nNext:\n  ${go}mci validate\n  mci list\n${call}`);
    return 0;
  },
});

function create(path: string, { text, append }: StarterFile): "Created" | "Updated" | "Kept" {
  try {
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path)) {
      writeFileSync(path, text, { flag: "wx" });
      return "Created";
    }
    return append && appendMissing(path, append) ? "Updated" : "Kept";
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new CliError(`Cannot create ${path} (${code})`, {
      hint: "Check the folder and its permissions, or use --dir.",
      cause,
    });
  }
}

/** Adds the lines the file does not have; false if it has them all. */
function appendMissing(path: string, lines: readonly string[]): boolean {
  const before = readFileSync(path, "utf8");
  const present = new Set(before.split(/\r?\n/).map((line) => line.trim().replace(/^\//, "")));
  const missing = lines.filter((line) => !present.has(line));
  if (missing.length === 0) return false;
  const separator = before === "" || before.endsWith("\n") ? "" : "\n";
  appendFileSync(path, separator + missing.map((line) => `${line}\n`).join(""));
  return true;
}

interface StarterFile {
  readonly path: string;
  readonly text: string;
  /** Lines to add to a file that is there already; any other existing file is left alone. */
  readonly append?: readonly string[];
}

/** The files of a new project. Toolsets and servers follow the format of the main file. */
async function starterFiles(format: "json" | "yaml"): Promise<StarterFile[]> {
  const { default: schema } = await import("mci-ts/schema.json", { with: { type: "json" } });
  const print = await printer(format);
  return [
    { path: `mci.${format}`, text: print(STARTER, "./mci/mci.schema.json") },
    { path: `mci/example_toolset.mci.${format}`, text: print(TOOLSET, "./mci.schema.json") },
    // The name is written in mcp_servers, so it does not follow the format.
    { path: "mci/example_server.mci.json", text: (await printer("json"))(SERVER, "./mci.schema.json") },
    { path: "mci/welcome.md", text: WELCOME },
    // A copy, so that editors complete without a network; `mci schema` prints a newer one.
    { path: "mci/mci.schema.json", text: `${JSON.stringify(schema, null, 2)}\n` },
    ignore("mci/.gitignore", ["mcp/", ".env", ".env.mci"]),
    ignore(".gitignore", [".env.mci"]),
  ];
}

function ignore(path: string, lines: readonly string[]): StarterFile {
  return { path, text: lines.map((line) => `${line}\n`).join(""), append: lines };
}

type Print = (document: object, schema: string) => string;

async function printer(format: "json" | "yaml"): Promise<Print> {
  if (format === "json")
    return (document, $schema) => `${JSON.stringify({ $schema, ...document }, null, 2)}\n`;
  const { stringify } = await import("yaml");
  // The comment is what YAML editors look for.
  return (document, schema) =>
    `# yaml-language-server: $schema=${schema}\n${stringify(document, { lineWidth: 0 })}`;
}
