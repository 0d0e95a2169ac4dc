import { spawn } from "node:child_process";
import { once } from "node:events";

/** Programs that open an address with the user's browser. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  // Not the shell's `start`: an address may be another server's, and hold what a shell would obey.
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/**
 * Whether a browser was asked to open the address. A machine without one is not an error: the address is printed. Other users
 * of the machine can read the address, so it must hold no secret.
 */
export function openBrowser(address: string): Promise<boolean> {
  const [command, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, address], { stdio: "ignore", detached: true });
  child.unref();
  return once(child, "spawn").then(
    () => true,
    () => false,
  );
}
