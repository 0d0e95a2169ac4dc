import { decodeUri } from "@mci-ts/primitives/decode-uri";
import { ownVariable, Setting } from "mci-ts/authoring";
import { isCredential, isCredentialValue, namesCredential } from "../credentials.ts";
import { variableName } from "../variables.ts";
import { ConfigVariables } from "./variables.ts";

/** More than `isCredentialName`: a variable of a program is one of few, and its name is chosen with care. */
const SECRET = /key|token|secret|password|passwd|auth|credential|cookie|private|pat$/i;

const isSecret = (name: string, value: string) =>
  value !== "" && (SECRET.test(name) || isCredential(name, value));

/** A text without a name of its own: a command, an argument, a value in JSON. */
export function secretText(server: string, label: string, text: string, variables: ConfigVariables): Setting {
  const isAddress = /^https?:\/\//i.test(text);
  return !isAddress && namesCredential(ConfigVariables.withoutReferences(text))
    ? hide(server, label, text, variables)
    : secretUrl(server, text, variables);
}

/** Environment variables and headers: values that look secret become variables; the others stay. */
export function secretValues(
  server: string,
  values: Readonly<Record<string, unknown>>,
  variables: ConfigVariables,
): Record<string, Setting> {
  return Object.fromEntries(
    Object.entries(values).map(([key, content]) => {
      const value = String(content);
      return [
        key,
        isSecret(key, value)
          ? hide(server, key, value, variables)
          : secretText(server, key, value, variables),
      ];
    }),
  );
}

/** Arguments: `--api-key VALUE`, `--token=VALUE`, `-e TOKEN=VALUE`, `--header "Authorization: Bearer VALUE"`, addresses with a password. */
export function secretArguments(
  server: string,
  args: readonly unknown[],
  variables: ConfigVariables,
): Setting[] {
  const texts = args.map(String);
  return texts.map((text, index) => {
    const before = texts[index - 1] ?? "";
    if (isSecretOption(before) && !text.startsWith("-")) return hide(server, before, text, variables);
    const [, option, value] = /^((?:--?[\w-]+=)?(?:-[a-z])?(?:--?)?[\w-]+=)([\s\S]+)$/i.exec(text) ?? [];
    if (
      option !== undefined &&
      (isSecretOption(`--${option.replace(/^-+|=$/g, "")}`) || isCredentialValue(value!))
    )
      return Setting.join(option, hide(server, option, value!, variables));
    const [, header, rest] = /^([\w-]+:\s*)([\s\S]+)$/.exec(text) ?? [];
    if (header !== undefined && /^(-H|--header)$/.test(before) && isSecret(header, rest!))
      return Setting.join(header, hide(server, header, rest!, variables));
    if (hasPassword(text)) return hide(server, "url", text, variables);
    if (!/^https?:/i.test(text) && !text.startsWith("@") && isCredentialValue(text))
      return hide(server, `argument ${index + 1}`, text, variables);
    return secretText(server, `argument ${index + 1}`, text, variables);
  });
}

/** Values of a query whose names say that they are secret, and keys in the path. */
export function secretUrl(server: string, url: string, variables: ConfigVariables): Setting {
  if (!/^https?:\/\/[^\s?]/i.test(url)) return variables.render(url);
  const [, fragment = ""] = url.split(/#(.*)/s, 2);
  if (hasPassword(url) || namesCredential(fragment)) return hide(server, "url", url, variables);
  const [address = "", query] = url.split(/\?(.*)/s, 2);
  const path = address.split("/").flatMap((part, index): (string | Setting)[] => {
    const isHidden = index > 2 && isCredentialValue(decodeUri(part));
    const segment = isHidden ? hide(server, "path", decodeUri(part), variables) : variables.render(part);
    return index === 0 ? [segment] : ["/", segment];
  });
  if (query === undefined) return Setting.join(...path);
  const parts = query.split("&").flatMap((part, index): (string | Setting)[] => {
    const [name = "", value = ""] = part.split(/=(.*)/s, 2);
    const pieces = isSecret(name, decodeUri(value))
      ? [variables.render(name), "=", hide(server, name, decodeUri(value), variables)]
      : [variables.render(part)];
    return index === 0 ? pieces : ["&", ...pieces];
  });
  return Setting.join(...path, "?", ...parts);
}

function isSecretOption(text: string): boolean {
  return /^--?[a-z]/i.test(text) && SECRET.test(text) && !/^--?no-|file$|path$|header$/i.test(text);
}

function hasPassword(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i.test(text) && !text.includes("${");
}

/** References to variables and the scheme of a credential stay; all other text is a secret. */
function hide(server: string, key: string, value: string, variables: ConfigVariables): Setting {
  if (ConfigVariables.withoutReferences(value) !== value) {
    let number = 0;
    return variables.render(value, (text) =>
      /^[\s:]*(?:(?:Bearer|Basic|Token) *)?$/i.test(text)
        ? text
        : hide(server, `${key} part ${++number}`, text, variables),
    );
  }
  if (value === "") return variables.render(value);
  const label = key.replace(/^-+|(?<![=:\s])[=:\s]+$/g, "");
  const isName = /^[A-Z][A-Z0-9_]*$/.test(label) && ownVariable(label) === label;
  const name = isName ? label : variableName(`${server}_${label}`, false);
  const scheme = /^(Bearer|Basic|Token) /i.exec(value)?.[0] ?? "";
  const description = `${label} of MCP server '${server}'`;
  return Setting.join(scheme, variables.secret(name, description, value.slice(scheme.length)));
}
