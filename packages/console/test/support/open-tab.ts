import type { StartedCommand } from "./servers.ts";

/** A tab of the command: its requests carry the token of a session. */
export async function openTab({ address, origin }: StartedCommand) {
  const session = (token: string) => ({
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
  });
  const opened = await fetch(`${origin}/api/session`, {
    method: "POST",
    headers: session(address().split("#token=")[1]!),
  });
  const { token } = (await opened.json()) as { token: string };
  return (path: string, method = "GET", body?: object, signal?: AbortSignal) =>
    fetch(`${origin}/api/${path}`, {
      method,
      headers: session(token),
      ...(body ? { body: JSON.stringify(body) } : {}),
      ...(signal ? { signal } : {}),
    });
}
