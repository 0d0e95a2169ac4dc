import { createInterface } from "node:readline";
import type { LoginOptions, LoginStore, LoginWay, OnAuthorize, OnDeviceCode } from "mci-ts/login";
import { CliError } from "../cli-error.ts";
import type { Context } from "../command.ts";
import { oneLine } from "../print/escape-controls.ts";
import { openBrowser } from "../ui/open-browser.ts";
import { loginDeadline } from "./deadline.ts";

export interface LogInOptions {
  readonly store: LoginStore;
  /** The person pastes the address that the browser ends at. */
  readonly isPasted: boolean;
  readonly opensBrowser: boolean;
  /** What the person logs in to, if they said it. */
  readonly name?: string | undefined;
  /** Milliseconds that they have. Default 600,000. */
  readonly timeoutMs?: number;
}

/** Leads a person through a login; `work` begins it and returns its name. */
export async function logIn(
  { store, isPasted, opensBrowser, name: target, timeoutMs }: LogInOptions,
  context: Context,
  work: (auth: LoginOptions & Required<LoginWay>) => Promise<string>,
): Promise<number> {
  const { openLoopback } = await import("mci-ts/login");
  const deadline = loginDeadline(target, timeoutMs);
  const signal = AbortSignal.any([context.signal, deadline.signal]);
  const loopback = await openLoopback(await registeredPort(store));
  const log = (text: string) => context.stderr.write(`${text}\n`);
  const onAuthorize: OnAuthorize = async (url, { name, issuer }) => {
    log(`Log in to '${oneLine(name)}' at ${oneLine(issuer)}:`);
    context.stdout.write(`${oneLine(url.href)}\n`);
    if (opensBrowser && !isPasted && !(await openBrowser(url.href)))
      log("No browser was found: open the address in one on this machine, or use --paste.");
    if (!isPasted) return loopback.wait(url, signal);
    log("Then paste the address that the browser ends at (the page itself does not load), and press Enter:");
    return pasted(context, signal);
  };
  const onDeviceCode: OnDeviceCode = ({ userCode, verificationUrl, completeUrl }, { name, issuer }) => {
    log(`Log in to '${oneLine(name)}' at ${oneLine(issuer)}. Open this address on any device:`);
    context.stdout.write(`${oneLine((completeUrl ?? verificationUrl).href)}\n`);
    log(`and compare or type the code ${oneLine(userCode)}. Waiting …`);
  };
  try {
    const way = { onAuthorize, onDeviceCode, signal };
    const name = await deadline.end(work({ store, ...way, redirectUrl: loopback.redirectUrl }));
    log(`Logged in to '${oneLine(name)}'.`);
    return 0;
  } finally {
    loopback.close();
  }
}

/** The port of the newest login: servers that compare addresses to the letter know it already. */
export async function registeredPort(store: LoginStore): Promise<number> {
  const [newest] = await store.list();
  return Number(URL.parse(newest?.client.redirect_uri ?? "")?.port || 0);
}

async function pasted({ stdin }: Context, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: stdin, signal });
  for await (const line of lines) {
    const text = line.trim();
    if (text === "") continue;
    if (URL.canParse(text)) return text;
    throw new CliError("That is not an address.", { hint: "Paste all of it, from http:// on." });
  }
  throw new CliError("No address was pasted.", {
    hint: "Log in again, and paste the address the browser ends at.",
  });
}
