import { closestMatch } from "@mci-ts/primitives/closest-match";
import { MCIClientError } from "../errors.ts";
import type { Loaded } from "../load/loaded.ts";
import type { LoginWay } from "../login/login-options.ts";
import { secretsOf } from "../login/login-store.ts";
import { maskedError } from "../masked-error.ts";
import { Secrets } from "../secrets.ts";
import { apiLogins, unreadableLogins } from "./tool-logins.ts";

/** A person logs in to an MCP server or to an API of HTTP tools. Throws `MCIClientError`. */
export async function logIn(loaded: Loaded, name: string, way: LoginWay): Promise<void> {
  const names = loginNames(loaded);
  if (!names.includes(name)) throw nothingToLogInTo(loaded, name, names);
  await perform(loaded, name, way).catch(async (error: Error) => {
    const secrets = await secretsOfLogin(loaded, name);
    const message = `No login at '${name}': ${secrets.mask(error.message)}`;
    throw new MCIClientError("login_failed", message, { cause: maskedError(error, secrets) });
  });
}

/** What servers of this name could repeat in an error: the settings of the login, and what is stored of it. */
async function secretsOfLogin(loaded: Loaded, name: string): Promise<Secrets> {
  const secrets = new Secrets();
  const add = (value: unknown) => secrets.add(value, "credential");
  if (loaded.mcp?.has(name)) loaded.mcp.secrets(name).forEach(add);
  for (const { login } of apiLogins(loaded)) if (login.name === name) add(login.clientSecret);
  const stored = await loaded.login.store.list().catch(() => []);
  stored.flatMap(secretsOf).forEach(add);
  return secrets;
}

export function loginNames(loaded: Loaded): string[] {
  const apis = apiLogins(loaded).map(({ login }) => login.name);
  return [...new Set([...(loaded.mcp?.loginNames() ?? []), ...apis])];
}

async function perform(loaded: Loaded, name: string, way: LoginWay): Promise<void> {
  const { mcp, login, proxy } = loaded;
  if (mcp?.loginNames().includes(name)) return mcp.login(name, way);
  const { ApiLogins } = await import("../login/api/api-logins.ts");
  const logins = new ApiLogins({ login, proxy });
  for (const api of apiLogins(loaded)) if (api.login.name === name) await logins.logIn(api.login, way);
}

function nothingToLogInTo(loaded: Loaded, name: string, names: readonly string[]): MCIClientError {
  const similar = closestMatch(name, names);
  const [unreadable] = unreadableLogins(loaded);
  if (similar === undefined && unreadable !== undefined)
    return new MCIClientError("login_failed", unreadable);
  const others = names.length === 0 ? "the file has nothing to log in to" : `there are ${names.join(", ")}`;
  const hint = similar === undefined ? others : `did you mean '${similar}'?`;
  return new MCIClientError("login_failed", `There is no server or API '${name}' to log in to: ${hint}`);
}
