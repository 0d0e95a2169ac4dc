import type { Problem } from "../errors.ts";
import { loginOf } from "../execute/execute.ts";
import type { Loaded, LoadedTool } from "../load/loaded.ts";
import { type ApiLogin, isLoginAuth } from "../login/api/api-login.ts";
import { loginCommand } from "../login/login-options.ts";
import { sameLogin } from "../login/login-store.ts";

/** The logins that HTTP tools need, each once, with the names of their tools. */
export function apiLogins({ tools, env }: Loaded): { login: ApiLogin; tools: string[] }[] {
  const found: { login: ApiLogin; tools: string[] }[] = [];
  for (const one of tools) {
    const login = loginFor(one, env);
    if (login === undefined) continue;
    const same = found.find((other) => other.login.name === login.name && sameLogin(other.login, login));
    if (same === undefined) found.push({ login, tools: [one.tool.name] });
    else same.tools.push(one.tool.name);
  }
  return found;
}

/** Settings that cannot be used are the error of a call. */
function loginFor(loaded: LoadedTool, env: Loaded["env"]): ApiLogin | undefined {
  try {
    return readLogin(loaded, env);
  } catch {
    return undefined;
  }
}

/** `compiled` is read last: a tool is compiled with the first look at it, and a file may have thousands. */
function readLogin(loaded: LoadedTool, env: Loaded["env"]): ApiLogin | undefined {
  const { execution } = loaded.tool;
  if (execution.type !== "http" || !isLoginAuth(execution.auth)) return undefined;
  return loginOf(loaded.compiled, { props: {}, env, absent: new Set(), onEnv: () => {} });
}

/** Why the logins of some tools have no name yet, such as a variable without a value. */
export function unreadableLogins({ tools, env }: Loaded): string[] {
  return tools.flatMap((one) => {
    try {
      readLogin(one, env);
      return [];
    } catch (error) {
      return [`The login of tool '${one.tool.name}' cannot be read: ${(error as Error).message}`];
    }
  });
}

/** A person or an application learns before the first call that a login is missing. */
export async function missingLogins(loaded: Loaded): Promise<Problem[]> {
  if (loaded.validating) return [];
  const needed = apiLogins(loaded);
  if (needed.length === 0) return [];
  const stored = await loaded.login.store.list();
  return needed.flatMap(({ login, tools }): Problem[] => {
    if (stored.some((one) => one.tokens !== undefined && sameLogin(one, login))) return [];
    const [first, ...more] = tools;
    const which = more.length === 0 ? `Tool '${first}'` : `Tool '${first}' and ${more.length} more`;
    const verb = more.length === 0 ? "needs" : "need";
    return [
      { message: `${which} ${verb} login: ${loginCommand(login.name, loaded.login)}`, severity: "warning" },
    ];
  });
}
