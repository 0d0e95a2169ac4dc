import { openLoginFetch } from "../../login/login-fetch.ts";
import type { ProxyRules } from "../../proxy/settings.ts";
import type { ServerLogin } from "../connection.ts";
import type { LoginSettings } from "./login-settings.ts";
import type { LoginTarget } from "./login-target.ts";

/** Everything that the login of one server needs. The requests of a login never carry the headers that the file gives the server. */
export async function openLoginTarget(
  url: URL,
  settings: LoginSettings = {},
  { name, options, onSecret }: ServerLogin,
  proxy: ProxyRules | undefined,
): Promise<{ target: LoginTarget; close: () => Promise<void> }> {
  const { issuer, identityProvider } = settings;
  const named = [issuer, identityProvider?.tokenUrl].filter((address) => address && URL.canParse(address));
  const { fetch, close } = await openLoginFetch({ trusted: [url, ...(named as string[])], proxy });
  for (const secret of [settings.clientSecret, settings.privateKey, settings.assertion])
    if (secret) onSecret(secret);
  return { target: { name, url, settings, options, fetch, onSecret }, close };
}
