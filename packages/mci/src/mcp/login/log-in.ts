import type { LoginWay } from "../../login/login-options.ts";
import type { ProxyRules } from "../../proxy/settings.ts";
import type { ServerLogin } from "../connection.ts";
import { McpError } from "../errors.ts";
import type { HttpConfig } from "../server-config.ts";
import { performDeviceLogin } from "./device-login.ts";
import type { Challenge } from "./login-target.ts";
import { openLoginTarget } from "./open-login-target.ts";
import { performLogin } from "./perform-login.ts";

export interface LogInOptions {
  readonly challenge: Challenge;
  readonly way: LoginWay;
  readonly proxy: ProxyRules | undefined;
}

/** A person logs in to a server. Importing this file loads the MCP SDK. */
export async function logIn(config: HttpConfig, login: ServerLogin, options: LogInOptions): Promise<void> {
  if (!URL.canParse(config.url))
    throw new McpError("unavailable", `the url '${config.url}' is not an address`);
  const { flow = "authorizationCode" } = config.auth ?? {};
  if (flow !== "authorizationCode")
    throw new McpError(
      "refused",
      `its tokens are requested by the program (auth.flow is ${flow}): no person logs in`,
    );
  const { target, close } = await openLoginTarget(new URL(config.url), config.auth, login, options.proxy);
  try {
    const { onAuthorize, onDeviceCode, signal } = options.way;
    if (onAuthorize !== undefined) await performLogin(target, options.challenge, onAuthorize);
    else if (onDeviceCode !== undefined)
      await performDeviceLogin(target, options.challenge, { onDeviceCode, signal });
  } finally {
    await close();
  }
}
