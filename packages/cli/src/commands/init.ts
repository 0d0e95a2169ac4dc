import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CliError } from "../cli-error.ts";
import { command } from "../command.ts";
import { type StarterFile, starterFiles } from "../init/files.ts";
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
