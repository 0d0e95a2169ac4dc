import { onTestFinished } from "vitest";
import { startProxy, type TcpProxy } from "../../../chaos/world/proxy.ts";

/** A network with faults in front of a server; the address leads through it. It ends with the test. */
export async function startProxyTo(address: string): Promise<TcpProxy & { readonly url: string }> {
  const url = new URL(address);
  const proxy = await startProxy(Number(url.port));
  onTestFinished(() => proxy.close());
  url.port = String(proxy.port);
  return Object.assign(proxy, { url: url.href });
}
