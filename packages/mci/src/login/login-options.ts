import { shellWord } from "@mci-ts/primitives/shell-word";
import type { LoginStore } from "./login-store.ts";

/** In the options of `MCIClient.load`. */
export interface LoginOptions {
  /** Where logins are stored, such as `fileLoginStore(loginFile(process.env))` of `mci-ts/login`. Default: in memory. */
  readonly store?: LoginStore;
  /**
   * Shows the address to a person, and returns the address that the browser came back to. Default: nothing waits for a person; what
   * needs a login fails with `login_required`.
   */
  readonly onAuthorize?: OnAuthorize;
  /** Where the browser comes back to. Default "http://127.0.0.1/callback". */
  readonly redirectUrl?: string;
  /** The address of a client id metadata document, for servers whose settings name none. */
  readonly clientMetadataUrl?: string;
  /** What a person runs to log in, for messages. Default: `mci login NAME`. */
  readonly loginCommand?: (name: string) => string;
}

/** As messages name it. A function of the application that fails costs nothing but its words. */
export function loginCommand(name: string, { loginCommand: own }: LoginOptions): string {
  try {
    const command: unknown = own?.(name);
    if (typeof command === "string") return command;
  } catch {}
  return `mci login ${shellWord(name)}`;
}

/** undefined: there is no one to ask. */
export type OnAuthorize = (url: URL, resource: LoginResource) => Promise<string | URL | undefined>;

/** Shows a code to a person, who types it at the address on any device; the login goes on by itself. */
export type OnDeviceCode = (code: DeviceCode, resource: LoginResource) => void | Promise<void>;

export interface DeviceCode {
  readonly userCode: string;
  readonly verificationUrl: URL;
  /** The address with the code in it, if the server has one. */
  readonly completeUrl?: URL;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** What a person logs in to. */
export interface LoginResource {
  /** The name that the file gives it. */
  readonly name: string;
  /** The address of the MCP server, or the origin of the API. */
  readonly resource: string;
  readonly issuer: string;
}

/** How a person is reached: with a browser that returns here, or with a code for another device. */
export interface LoginWay {
  readonly onAuthorize?: OnAuthorize | undefined;
  readonly onDeviceCode?: OnDeviceCode | undefined;
  readonly signal?: AbortSignal | undefined;
}

export const DEFAULT_REDIRECT_URL = "http://127.0.0.1/callback";
