import type { ConfigVariables } from "./variables.ts";

const SECRET = /key|token|secret|password|passwd|auth|credential|cookie|private|pat$/i;

/** Environment variables and headers: values that look secret become variables; the others stay. */
export function secretValues(
  server: string,
  values: Readonly<Record<string, unknown>>,
  variables: ConfigVariables,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, given]) => {
      const value = String(given);
      const isPlain = !SECRET.test(key) && !hasPassword(value);
      return [key, isPlain ? variables.render(value) : hide(server, key, value, variables)];
    }),
  );
}

/** Arguments: `--api-key VALUE`, `--token=VALUE`, `--header "Authorization: Bearer VALUE"`, addresses with a password. */
export function secretArguments(
  server: string,
  args: readonly unknown[],
  variables: ConfigVariables,
): string[] {
  const texts = args.map(String);
  return texts.map((text, index) => {
    const before = texts[index - 1] ?? "";
    if (isSecretOption(before) && !text.startsWith("-")) return hide(server, before, text, variables);
    const [, option, value] = /^(--?[\w-]+=)([\s\S]+)$/.exec(text) ?? [];
    if (option !== undefined && isSecretOption(option.slice(0, -1)))
      return option + hide(server, option, value!, variables);
    const [, header, rest] = /^([\w-]+:\s*)([\s\S]+)$/.exec(text) ?? [];
    if (header !== undefined && /^(-H|--header)$/.test(before) && SECRET.test(header))
      return header + hide(server, header, rest!, variables);
    if (hasPassword(text)) return hide(server, "url", text, variables);
    return secretUrl(server, text, variables);
  });
}

/** Values of a query whose names say that they are secret. */
export function secretUrl(server: string, url: string, variables: ConfigVariables): string {
  if (!/^https?:\/\/[^\s?]+\?/i.test(url)) return variables.render(url);
  const [address = "", query = ""] = url.split(/\?(.*)/s, 2);
  const parts = query.split("&").map((part) => {
    const [name = "", value = ""] = part.split(/=(.*)/s, 2);
    const isHidden = SECRET.test(name) && value !== "";
    return isHidden ? `${name}=${hide(server, name, decode(value), variables)}` : variables.render(part);
  });
  return `${variables.render(address)}?${parts.join("&")}`;
}

function isSecretOption(text: string): boolean {
  return /^--?[a-z]/i.test(text) && SECRET.test(text) && !/^--?no-|file$|path$|header$/i.test(text);
}

function hasPassword(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i.test(text) && !text.includes("${");
}

/** What refers to a variable already is none of the value's; the scheme of a credential stays. */
function hide(server: string, key: string, value: string, variables: ConfigVariables): string {
  if (value === "" || value.includes("${")) return variables.render(value);
  const label = key.replace(/^-+|(?<![=:\s])[=:\s]+$/g, "");
  const isName = /^[A-Z][A-Z0-9_]*$/.test(label);
  const name = isName ? label : `${server}_${label}`.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
  const scheme = /^(Bearer|Basic|Token) /i.exec(value)?.[0] ?? "";
  return `${scheme}${variables.secret(name, `${label} of MCP server '${server}'`)}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
