import { type LookupAddress, lookup } from "node:dns";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isLoopback } from "@mci-ts/http-guard";
import { isPublicAddress } from "@mci-ts/primitives/ip-ranges";

export interface PostOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Whether a name may resolve to an address that is not public. */
  readonly allowPrivate: boolean;
}

/** Sends the body and returns the status. Redirects are not followed: another host was not allowed. */
export function postWebhook(
  url: string,
  body: string,
  { headers, signal, allowPrivate }: PostOptions,
): Promise<number> {
  const { protocol, hostname } = new URL(url);
  const request = protocol === "https:" ? requestHttps : requestHttp;
  // An address in the setting says itself where it leads; what a name leads to is only known now.
  const anyAddress = allowPrivate || isLoopback(hostname) || isIP(hostname.replace(/^\[|\]$/g, "")) !== 0;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: "POST",
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      signal,
      agent: false,
      ...(anyAddress ? {} : { lookup: publicOnly }),
    });
    sent.on("response", (response) => {
      // What the receiver says does not matter.
      response.destroy();
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Looks a name up for the connection itself, so that it cannot lead elsewhere a moment later. */
export const publicOnly: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[] = []) => {
    const [first] = addresses;
    const hidden = addresses.find(({ address }) => !isPublicAddress(address));
    if (error || !first) return callback(error ?? new Error(`${hostname} has no address`), "", 0);
    if (hidden)
      return callback(
        new Error(
          `${hostname} leads to the private address ${hidden.address}; MCI_WEBHOOK_ALLOW_PRIVATE=1 permits that`,
        ),
        "",
        0,
      );
    if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
