import type { Loaded } from "../load/loaded.ts";
import { Secrets } from "../secrets.ts";

/** What a server was sent, and may repeat anywhere. Asked for when something has failed: tokens may have come during the request. */
export function serverSecrets({ mcp, publicValues }: Loaded, name: string): Secrets {
  const secrets = new Secrets(publicValues);
  for (const secret of mcp?.secrets(name) ?? []) secrets.add(secret, "credential");
  return secrets;
}
