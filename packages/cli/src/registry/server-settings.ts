import { isObject, objectsIn } from "@mci-ts/primitives/is-object";
import { ownVariable, Setting } from "mci-ts/authoring";
import { CliError } from "../cli-error.ts";
import { EntryInputs } from "./inputs.ts";
import { PACKAGE_TYPES, packageCommand } from "./package-types.ts";
import { runtimeArguments } from "./runtime-arguments.ts";

type Json = Readonly<Record<string, unknown>>;

export interface ServerSettings {
  /** Settings of a server of ours, with placeholders. */
  readonly settings: Json;
  /** What it is pinned to. */
  readonly pin: string;
  readonly inputs: EntryInputs;
}

/** The settings of the server that an entry of a registry describes. `form`: a type of package, or `remote`. */
export function serverSettings(entry: Json, name: string, form: string | undefined): ServerSettings {
  const packages = objectsIn(entry.packages);
  const remotes = objectsIn(entry.remotes);
  const isStdio = (each: Json) =>
    Object.hasOwn(PACKAGE_TYPES, String(each.registryType)) &&
    isObject(each.transport) &&
    each.transport.type === "stdio";
  const runnable = packages.filter(isStdio);
  const [remote] = remotes;
  const chosen =
    form === undefined
      ? (runnable.find((each) => runtimeArguments(each).refused.length === 0) ??
        (remote === undefined ? runnable[0] : undefined))
      : packages.find((each) => each.registryType === form);
  if (chosen !== undefined && form !== "remote") return ofPackage(chosen, name);
  if (remote !== undefined && (form === undefined || form === "remote"))
    return ofRemote(remote, name, form === undefined ? runnable : []);
  const forms = [
    ...packages.map(({ registryType }) => String(registryType)),
    ...(remotes.length > 0 ? ["remote"] : []),
  ];
  throw new CliError(
    forms.length === 0
      ? "The server cannot be added: its entry has neither packages nor remotes."
      : `The server cannot be added${form === undefined ? "" : ` as '${form}'`}: it comes as ${forms.join(", ")}.`,
    { hint: "Nothing was changed. Choose one with --package, or add the server by hand." },
  );
}

function ofPackage(entry: Json, name: string): ServerSettings {
  const inputs = new EntryInputs(name);
  const transport = isObject(entry.transport) ? entry.transport : {};
  if (transport.type !== "stdio")
    throw new CliError(
      "The server cannot be added: its package speaks HTTP, so that it has to be started by hand.",
      {
        hint: "Start it, then add its address to mcp_servers.",
      },
    );
  const runtime = runtimeArguments(entry);
  if (runtime.refused.length > 0)
    throw new CliError(`The server cannot be added: ${describeRefused(runtime.refused)}.`, {
      hint: "They can do anything, such as mount a folder of yours. Add the server by hand if you want them.",
    });
  const env = environment([...runtime.variables, ...objectsIn(entry.environmentVariables)], inputs);
  const { command, args } = packageCommand(entry, Object.keys(env));
  const own = objectsIn(entry.packageArguments).flatMap((each) => argument(each, inputs));
  return {
    settings: { command, args: [...args, ...own], ...(Object.keys(env).length > 0 ? { env } : {}) },
    pin: args.find((word) => word.includes(String(entry.identifier)))!,
    inputs,
  };
}

function describeRefused(refused: readonly string[]): string {
  return `its entry gives arguments to the program that starts it (${refused.join(" ")})`;
}

/** The settings that the entry declares, and no others. */
function environment(variables: readonly Json[], inputs: EntryInputs): Record<string, Setting> {
  const env: Record<string, Setting> = {};
  for (const variable of variables) {
    const name = String(variable.name);
    if (!/^[A-Za-z_]\w{0,99}$/.test(name) || ownVariable(name) !== name) {
      inputs.notes.push(
        `Left out: the variable '${name}', which other programs obey too, or which is not a name`,
      );
      continue;
    }
    const setting = inputs.setting(variable, name, "variable");
    if (setting !== undefined) env[name] = setting;
  }
  return env;
}

function argument(entry: Json, inputs: EntryInputs): (string | Setting)[] {
  const isNamed = entry.type === "named";
  const name = String((isNamed ? entry.name : entry.valueHint) ?? "argument");
  if (isNamed && !/^-{0,2}[A-Za-z0-9][\w.-]*$/.test(name))
    throw new CliError(`The server cannot be added: '${name}' is not the name of an option.`);
  const setting = inputs.setting(entry, name.replace(/^-+/, "") || name, "argument");
  if (setting === undefined) return [];
  if (entry.isRepeated === true) inputs.notes.push(`Argument ${name} may be repeated; it is written once`);
  return [isNamed ? Setting.join(`${name}=`, setting) : setting];
}

/** `refused`: packages that were not chosen for what their entry asks of the program that starts them. */
function ofRemote(entry: Json, name: string, refused: readonly Json[]): ServerSettings {
  const inputs = new EntryInputs(name);
  for (const each of refused)
    inputs.notes.push(
      `Its package (${String(each.registryType)}) is not used: ${describeRefused(runtimeArguments(each).refused)}`,
    );
  const url = String(entry.url);
  const isLocal = /^http:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])[:/]/.test(url);
  // A variable may be a part of the host's name, never the whole of it.
  if (
    !(isLocal || /^https:\/\/[^/?#@\\]*[A-Za-z0-9][^/?#@\\]*(?:[/?]|$)/.test(url)) ||
    /^https:\/\/\{[^}]*\}(?:[:/]|$)/.test(url)
  )
    throw new CliError(
      `The server cannot be added: '${url}' is not an https:// address with a host of its own.`,
      {
        hint: "Nothing was changed.",
      },
    );
  const headers: Record<string, Setting> = {};
  for (const header of objectsIn(entry.headers)) {
    const key = String(header.name);
    if (
      !/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(key) ||
      /^(?:host|content-length|transfer-encoding|connection)$/i.test(key)
    ) {
      inputs.notes.push(`Left out: the header '${key}', which is not one that a client sets`);
      continue;
    }
    const setting = inputs.setting(header, key, "header");
    if (setting !== undefined) headers[key] = setting;
  }
  inputs.notes.push("A server at an address cannot be pinned to a version: the lock is what notices changes");
  return {
    settings: {
      ...(entry.type === "sse" ? { type: "sse" } : {}),
      url: inputs.template(url, isObject(entry.variables) ? entry.variables : {}, "part of the address"),
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
    },
    pin: url,
    inputs,
  };
}
