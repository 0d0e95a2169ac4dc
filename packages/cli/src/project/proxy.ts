import type { ProxySettings } from "mci-ts";
import { usageError } from "../cli-error.ts";
import type { Context } from "../command.ts";

/** The proxies that the process environment names. As everywhere, the variable in lower case comes first. */
export async function proxyFromEnv(env: Context["env"]): Promise<ProxySettings | undefined> {
  const read = (name: string) => {
    const found = [name.toLowerCase(), name].find((each) => env[each] !== undefined && env[each] !== "");
    return found === undefined ? undefined : { name: found, value: env[found]! };
  };
  const https = read("HTTPS_PROXY");
  const http = read("HTTP_PROXY");
  if (https === undefined && http === undefined) return undefined;
  const { parseProxy, PROXY_ADDRESS } = await import("mci-ts/proxy");
  for (const variable of [https, http]) {
    if (variable === undefined || parseProxy(variable.value) !== undefined) continue;
    throw usageError(`${variable.name} ${PROXY_ADDRESS}.`, `Correct it, or unset ${variable.name}.`);
  }
  return { https: https?.value, http: http?.value, noProxy: read("NO_PROXY")?.value };
}
