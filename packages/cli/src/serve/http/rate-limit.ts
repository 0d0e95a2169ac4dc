import { isIP } from "node:net";
import { type Check, isLoopback } from "./hosts.ts";

export interface RateLimit {
  /** Requests a second for each address; as many again may come at once. */
  readonly perSecond: number;
  /** Whether clients on this machine are counted, too. */
  readonly countsLoopback: boolean;
}

/** Addresses that are tracked; beyond that the oldest is dropped. */
const MAX_ADDRESSES = 10_000;

interface Bucket {
  tokens: number;
  at: number;
}

/** A bucket of tokens for each address: a request takes one, and they come back with time. */
export function rateCheck({ perSecond, countsLoopback }: RateLimit, now = () => performance.now()): Check {
  const buckets = new Map<string, Bucket>();
  const capacity = Math.max(1, perSecond * 2);
  return ({ socket: { remoteAddress = "" } }) => {
    if (!countsLoopback && isLoopback(remoteAddress)) return undefined;
    const time = now();
    const bucket = bucketOf(buckets, network(remoteAddress), { tokens: capacity, at: time });
    bucket.tokens = Math.min(capacity, bucket.tokens + ((time - bucket.at) / 1000) * perSecond);
    bucket.at = time;
    if (bucket.tokens >= 1) {
      bucket.tokens--;
      return undefined;
    }
    const seconds = Math.ceil((1 - bucket.tokens) / perSecond);
    return {
      status: 429,
      message: `Too many requests: at most ${perSecond} a second. Try again in ${seconds} s`,
      headers: { "retry-after": String(seconds) },
    };
  };
}

function bucketOf(buckets: Map<string, Bucket>, key: string, fresh: Bucket): Bucket {
  const known = buckets.get(key);
  if (known !== undefined) return known;
  if (buckets.size >= MAX_ADDRESSES) buckets.delete(buckets.keys().next().value ?? "");
  buckets.set(key, fresh);
  return fresh;
}

/** A client with one IPv6 address has a network of 2^64 of them. */
function network(address: string): string {
  return isIP(address) === 6 && !address.startsWith("::ffff:") ? prefix64(address) : address;
}

function prefix64(address: string): string {
  const [head = "", tail = ""] = address.split("::");
  const before = head.split(":").filter(Boolean);
  const after = tail.split(":").filter(Boolean);
  const zeros = address.includes("::") ? 8 - before.length - after.length : 0;
  return [...before, ...Array<string>(zeros).fill("0"), ...after].slice(0, 4).join(":");
}
