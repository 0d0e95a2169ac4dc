import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isObject } from "@mci-ts/primitives/is-object";
import { CliError, usageError } from "../cli-error.ts";
import type { ExportedVariable, McpClient } from "../clients/client.ts";
import { CLIENTS } from "../clients/clients.ts";
import { type Context, command } from "../command.ts";
import { saveText } from "../edit/save-text.ts";
import { oneLine } from "../print/escape-controls.ts";
import { shortPath } from "../print/problems.ts";
import { style } from "../print/style.ts";
import { discoverFile } from "../project/discover.ts";
import { FILE } from "../project/options.ts";

const NAMES = Object.keys(CLIENTS);
/** A project's file can be reviewed; that of Claude Desktop is for one user. */
const ALIASES: Readonly<Record<string, string>> = { claude: "claude-code" };

export default command({
  summary: "Write the configuration of an MCP client, so that it serves itself the tools of this file.",
  details:
    `Clients: ${NAMES.join(", ")}; claude is claude-code.\n` +
    "The client's own file is edited: everything else in it stays, comments too. No value of a variable is written:\n" +
    "the client passes on variables under their names, or reads nothing where it cannot, and the command says what to set.",
  operands: [
    { name: "CLIENT", help: "Which client.", required: true, choices: [...NAMES, ...Object.keys(ALIASES)] },
  ],
  options: {
    name: {
      type: "string",
      value: "NAME",
      help: "What the client calls the server. Default: the file's name for itself.",
    },
    user: {
      type: "boolean",
      help: "For all projects of the user. Default: for this project, where the client has that.",
    },
    out: {
      type: "string",
      short: "o",
      value: "FILE",
      complete: "file",
      help: "Another configuration file to edit.",
    },
    print: { type: "boolean", help: "Print the result instead of writing it." },
    url: {
      type: "string",
      value: "URL",
      help: "Connect to 'mci run --http' there, instead of starting 'mci run'.",
    },
    bearer: { type: "string", value: "NAME", help: "With --url: the variable with the token of the server." },
    command: {
      type: "string",
      value: "PROGRAM",
      complete: "file",
      help: "The program to start. Default: mci.",
    },
    force: { type: "boolean", help: "Replace another server of that name, or one with comments in it." },
    ...FILE,
  },
  examples: [
    { command: "mci export cursor", about: "In .cursor/mcp.json of this folder" },
    { command: "mci export claude-desktop --name weather", about: "In the configuration of the user" },
    { command: "mci export codex --print", about: "Look first" },
    {
      command: "mci export vscode --url http://127.0.0.1:3000/mcp --bearer MCI_TOKEN",
      about: "A server that runs already",
    },
  ],
  async run({ values, operands: [operand = ""] }, context) {
    const client = CLIENTS[ALIASES[operand] ?? operand]!;
    const file = discoverFile(values.file, context.cwd);
    if (!existsSync(file)) throw new CliError(`File not found: ${file}`, { hint: "Check --file." });
    const { neededVariables, serverName } = await import("../export/exported-server.ts");
    const name = values.name ?? (await serverName(file));
    if (!/^[\w.-]{1,64}$/.test(name) || name === "__proto__")
      throw usageError(`--name cannot be '${name}'.`, "Use letters, digits, '.', '_' and '-'.");
    const { needed, optional } = values.url === undefined ? await neededVariables(file, context) : NOTHING;
    const { place, isProject } = await placeOf(client, values, context);
    const { entry, inputs } = await entryOf(client, file, values, { needed, isProject }, context);
    const before = existsSync(place) ? readFileSync(place, "utf8") : undefined;
    const placeName = oneLine(shortPath(place, context.cwd));
    const { text, isSame } = await edit(client, before, {
      name,
      entry,
      inputs,
      placeName,
      force: values.force,
    });
    if (values.print) context.stdout.write(text);
    else if (isSame) context.stdout.write(`${placeName} has server '${name}' already; nothing to change.\n`);
    else {
      mkdirSync(dirname(place), { recursive: true });
      await saveText(place, text, before, placeName);
      context.stdout.write(
        `${style(context.stdout, "green", before === undefined ? "Wrote" : "Added")} server '${name}' ${before === undefined ? "into a new" : "to"} ${placeName}\n`,
      );
    }
    tellVariables(client, needed, optional, file, context);
    if (values.url === undefined && values.command === undefined) await warnWithoutProgram(context);
    return 0;
  },
});

const NOTHING = { needed: [], optional: [] } as const;

interface ExportValues {
  readonly user: boolean;
  readonly out: string | undefined;
  readonly url: string | undefined;
  readonly bearer: string | undefined;
  readonly command: string | undefined;
}

async function placeOf(client: McpClient, { out, user }: ExportValues, context: Context) {
  const { foldersOf } = await import("../clients/find-configuration.ts");
  const places = client.places(foldersOf(context));
  if (out !== undefined) return { place: resolve(context.cwd, out), isProject: false };
  const isProject = !user && places.project !== undefined;
  return { place: (isProject ? places.project : places.user)!, isProject };
}

async function entryOf(
  client: McpClient,
  file: string,
  { url, bearer, command: program = "mci" }: ExportValues,
  { needed, isProject }: { readonly needed: readonly ExportedVariable[]; readonly isProject: boolean },
  { cwd }: Context,
) {
  if (url === undefined) {
    if (bearer !== undefined)
      throw usageError("--bearer goes with --url.", "'mci run' on standard input needs no token.");
    const { fileArgument } = await import("../export/exported-server.ts");
    const args = ["run", fileArgument(file, cwd, isProject ? client.projectFolder : undefined)];
    const entry = client.program({ command: program, args, variables: client.variable ? needed : [] });
    return { entry, inputs: client.inputs?.(needed) ?? [] };
  }
  if (!/^https?:\/\/[^\s/]/i.test(url) || /\/\/[^/]*@/.test(url))
    throw usageError("--url must begin with http:// or https://, without a password.");
  if (bearer !== undefined && !/^[A-Za-z_]\w*$/.test(bearer))
    throw usageError(`--bearer must be the name of a variable, not its value.`, "Write --bearer MCI_TOKEN.");
  if (client.address === undefined)
    throw new CliError(
      `${client.title} starts programs only: its configuration has no servers at an address.`,
      {
        hint: "Leave out --url.",
      },
    );
  if (bearer !== undefined && client.variable === undefined)
    throw new CliError(
      `${client.title} cannot read a token from a variable, and tokens are not written into files.`,
      {
        hint: "Leave out --url, so that it starts 'mci run' itself.",
      },
    );
  const token =
    bearer === undefined ? [] : [{ name: bearer, isSecret: true, description: "Token of the tools" }];
  return { entry: client.address({ url, token: bearer }), inputs: client.inputs?.(token) ?? [] };
}

interface Edit {
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
  readonly inputs: readonly { readonly id: string }[];
  readonly placeName: string;
  readonly force: boolean;
}

async function edit(
  { syntax, servers, title }: McpClient,
  before: string | undefined,
  { name, entry, inputs, placeName, force }: Edit,
): Promise<{ readonly text: string; readonly isSame: boolean }> {
  const source = before ?? "";
  const [toml, json] = await Promise.all([import("../clients/toml.ts"), import("../clients/json.ts")]);
  const old = (syntax === "toml" ? toml.tomlEntry : json.jsonEntry)(source, servers, name, placeName);
  if (isDeepStrictEqual(old, entry)) return { text: source, isSame: true };
  if (old !== undefined && !isOurs(old) && !force)
    throw new CliError(`${placeName} has another server called '${name}'.`, {
      hint: "Choose another name with --name, or replace it with --force.",
    });
  const edited =
    syntax === "toml"
      ? toml.setTomlTable(source, servers, name, entry)
      : json.setJsonEntry(source, servers, name, entry, inputs);
  if (edited === undefined)
    throw new CliError(
      `${placeName} is written in a way that cannot be edited without changing the rest of it.`,
      {
        hint: `Nothing was written. Print the entry with --print --out NEW, and add it by hand as ${title} asks.`,
      },
    );
  if (edited.lostComments && !force)
    throw new CliError(`The entry '${name}' of ${placeName} has comments, which would be lost.`, {
      hint: "Nothing was written. Remove the entry or its comments, or pass --force.",
    });
  return { text: edited.text, isSame: edited.text === source };
}

/** An entry that an earlier export may have written. */
function isOurs(entry: unknown): boolean {
  if (!isObject(entry)) return false;
  const words = [entry.command, entry.args].flat();
  return typeof words[0] === "string" && /(^|[\\/])mci(\.cmd|\.exe)?$/.test(words[0]) && words[1] === "run";
}

function tellVariables(
  client: McpClient,
  needed: readonly ExportedVariable[],
  optional: readonly string[],
  file: string,
  { stderr, cwd }: Context,
): void {
  const names = needed.map(({ name }) => name).join(", ");
  const beside = `an env file beside ${oneLine(shortPath(file, cwd))} ('mci envs --format env' writes one to fill in)`;
  if (needed.length > 0)
    stderr.write(
      client.variable === undefined
        ? `${client.title} passes no variables on by name: put ${names} into ${beside}.\n`
        : client.inputs
          ? `${client.title} asks for: ${names}.\n`
          : `Set where ${client.title} starts: ${names}. Or put them into ${beside}.\n`,
    );
  if (optional.length > 0) stderr.write(`Not passed on, as they have fallbacks: ${optional.join(", ")}.\n`);
}

async function warnWithoutProgram({ cwd, env, stderr }: Context): Promise<void> {
  const { canStart } = await import("../validate/which.ts");
  if (!canStart("mci", { cwd, env }))
    stderr.write(
      `${style(stderr, "yellow", "warning")}: 'mci' is not on the PATH here; name it with --command PATH.\n`,
    );
}
