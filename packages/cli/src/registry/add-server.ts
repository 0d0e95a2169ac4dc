import { existsSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { isObject } from "@mci-ts/primitives/is-object";
import { writeServer } from "mci-ts/authoring";
import { CliError, usageError } from "../cli-error.ts";
import type { Context } from "../command.ts";
import { saveText } from "../edit/save-text.ts";
import { oneLine } from "../print/escape-controls.ts";
import { shortPath } from "../print/problems.ts";
import { style } from "../print/style.ts";
import { fetchEntry } from "./fetch-entry.ts";
import { lockServer } from "./lock-server.ts";
import { serverSettings } from "./server-settings.ts";

export interface AddServerOptions {
  /** `io.github.user/weather`, with `@` and a version or without. */
  readonly name: string;
  /** The MCI file. */
  readonly file: string;
  readonly registry: string;
  /** What the file calls it. Default: the last part of its name. */
  readonly as?: string | undefined;
  /** Which of its forms: a type of package, or `remote`. Default: the first that can be run. */
  readonly form?: string | undefined;
  readonly prefix?: string | undefined;
  readonly filter?: { readonly type: string; readonly value: string } | undefined;
  readonly force: boolean;
  readonly lock: boolean;
}

/** Looks a server up in a registry and adds it to the file: pinned, locked, and with the variables that it declares. */
export async function addServer(options: AddServerOptions, context: Context): Promise<number> {
  const { file, registry, force } = options;
  const [, name = "", version = "latest"] = /^([^@]+)(?:@(.+))?$/.exec(options.name) ?? [];
  const as = options.as ?? name.split("/").at(-1)!;
  if (!/^[A-Za-z0-9_][\w.-]{0,63}$/.test(as))
    throw usageError(`'${as}' cannot be the name of a server.`, "Choose one with --as NAME.");
  const before = read(file);
  const { server, warnings } = await fetchEntry(registry, name, version, context);
  const { settings, pin, inputs } = serverSettings(server, as, options.form);
  const more = {
    ...(options.prefix === undefined ? {} : { prefix: options.prefix }),
    ...(options.filter && { config: { filter: options.filter.type, filterValue: options.filter.value } }),
  };
  const variables = new Set<string>();
  const written = writeServer({ ...settings, ...more }, variables);
  const { text, isNew } = await edit(file, before, as, written, force);

  const fileName = oneLine(shortPath(file, context.cwd));
  const { stdout, stderr } = context;
  await saveText(file, text, before, fileName);
  stdout.write(
    `${style(stdout, "green", isNew ? "Added" : "Replaced")} MCP server '${as}' (${oneLine(name)} ${oneLine(String(server.version))}, ${oneLine(pin)}) in ${fileName}\n`,
  );
  for (const note of [...warnings, ...inputs.notes]) stderr.write(`${oneLine(note)}\n`);
  const needed = inputs.variables.readBy(variables);
  for (const { name: variable, description, required, secret } of needed)
    stdout.write(
      `  ${variable}${required ? "" : " (has a default)"}: ${oneLine(description)}${secret ? ", a secret" : ""}\n`,
    );
  if (!options.lock) {
    stderr.write("Not locked: look at its tools with 'mci list', then run 'mci lock'.\n");
    return 0;
  }
  return lockServer(as, written, file, context);
}

function read(file: string): string {
  if (existsSync(file)) return readFileSync(file, "utf8");
  throw new CliError(`File not found: ${file}`, {
    hint: "Run 'mci init' to create a file, or check --file.",
  });
}

async function edit(
  file: string,
  before: string,
  as: string,
  settings: Readonly<Record<string, unknown>>,
  force: boolean,
) {
  const isJson = extname(file).toLowerCase() === ".json";
  const { parseLooseDocument } = await import("../import/parse-loose.ts");
  const document = isJson ? parseLooseDocument(before, file) : (await import("yaml")).parse(before);
  if (!isObject(document)) throw new CliError(`${file} is not an MCI file.`, { hint: "Run 'mci validate'." });
  const servers = isObject(document.mcp_servers) ? document.mcp_servers : {};
  const isNew = !Object.hasOwn(servers, as);
  if (!isNew && !force)
    throw new CliError(`The file has a server '${as}' already.`, {
      hint: "Nothing was changed. Choose another name with --as, or replace it with --force.",
    });
  const text = isJson ? await editJson(before, document, as, settings) : await editYaml(file, as, settings);
  return { text, isNew };
}

async function editJson(
  before: string,
  document: Readonly<Record<string, unknown>>,
  as: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { setJsonEntry, setJsonValue } = await import("../clients/json.ts");
  const edited = setJsonEntry(before, "mcp_servers", as, settings, []);
  if (edited === undefined)
    throw new CliError("The file cannot be edited without changing the rest of it.", {
      hint: "Nothing was changed. Run 'mci validate'.",
    });
  if (!Array.isArray(document.envAllowList)) return edited.text;
  // The list of the file bounds those of its servers.
  const names = new Set([...document.envAllowList, ...(settings.envAllowList as string[])]);
  return names.size === document.envAllowList.length
    ? edited.text
    : setJsonValue(edited.text, ["envAllowList"], [...names]);
}

async function editYaml(file: string, as: string, settings: object): Promise<string> {
  const { mergeInto } = await import("../import/merge.ts");
  const document = { schemaVersion: "1.0", mcp_servers: { [as]: settings } } as Parameters<
    typeof mergeInto
  >[1];
  return (await mergeInto(file, document, "join", false)).text;
}
