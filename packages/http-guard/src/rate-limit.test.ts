import { expect, test } from "vitest";
import { GuardError } from "./error.ts";
import { RateLimiter, type RateLimiterOptions } from "./rate-limit.ts";

/** A limiter with a clock in the test's hand; `ask` gives the status of a request. */
function limiter(options: Partial<RateLimiterOptions> & { perSecond: number }) {
  let time = 0;
  const rate = new RateLimiter(
    { burst: options.perSecond * 2, description: "a few", ...options },
    () => time,
  );
  return {
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    ask: (address: string) => {
      try {
        rate.consume(address);
        return 200;
      } catch (error) {
        expect(error).toBeInstanceOf(GuardError);
        const { status, headers } = error as GuardError;
        return `${status} ${headers["retry-after"]}`;
      }
    },
  };
}

const times = <T>(count: number, run: () => T): T[] => Array.from({ length: count }, run);

test("[G-rate] a burst may come at once, then tokens come back evenly", () => {
  const { ask, pass } = limiter({ perSecond: 10 });
  expect(times(20, () => ask("10.0.0.1"))).toEqual(times(20, () => 200));
  expect(ask("10.0.0.1")).toBe("429 1");
  pass(100);
  expect([ask("10.0.0.1"), ask("10.0.0.1")]).toEqual([200, "429 1"]);
  pass(60_000);
  expect(times(20, () => ask("10.0.0.1"))).toEqual(times(20, () => 200));
  expect(ask("10.0.0.1")).toBe("429 1");
});

test("[G-rate] requests that are refused do not make the client wait longer", () => {
  const { ask, pass } = limiter({ perSecond: 1, burst: 1 });
  expect(ask("10.0.0.1")).toBe(200);
  for (let index = 0; index < 9; index++) {
    pass(100);
    expect(ask("10.0.0.1")).toBe("429 1");
  }
  pass(101);
  expect(ask("10.0.0.1")).toBe(200);
});

test("[G-rate] a slow limit says how long to wait", () => {
  const { ask } = limiter({ perSecond: 1 / 60, burst: 1 });
  expect([ask("10.0.0.1"), ask("10.0.0.1")]).toEqual([200, "429 60"]);
});

test("[G-rate] each address is counted separately, and an IPv6 network as one", () => {
  const { ask } = limiter({ perSecond: 1 });
  const drain = (address: string) => times(3, () => ask(address));
  for (const address of ["10.0.0.1", "10.0.0.2", "::ffff:10.0.0.3", "::ffff:10.0.0.4", "2001:db8::1"])
    expect(drain(address)).toEqual([200, 200, "429 1"]);
  expect(drain("2001:db8:0:0:ffff::2")).toEqual(["429 1", "429 1", "429 1"]);
  expect(drain("::ffff:10.0.0.1")).toEqual(["429 1", "429 1", "429 1"]);
  expect(drain("2001:db8:0:1::1")).toEqual([200, 200, "429 1"]);
});

test("[G-rate] this machine can be exempt, and the limit can be off", () => {
  const exempt = limiter({ perSecond: 1, limitsLoopback: false });
  for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
    expect(new Set(times(10, () => exempt.ask(address)))).toEqual(new Set([200]));
  expect(times(3, () => exempt.ask("10.0.0.1"))).toEqual([200, 200, "429 1"]);
  const counted = limiter({ perSecond: 1 });
  expect(times(3, () => counted.ask("127.0.0.1"))).toEqual([200, 200, "429 1"]);
  const off = limiter({ perSecond: 0 });
  expect(new Set(times(1000, () => off.ask("10.0.0.1")))).toEqual(new Set([200]));
});

test("[G-rate] the number of tracked clients is bounded, and the one unseen for longest goes first", () => {
  const { ask } = limiter({ perSecond: 1, burst: 1 });
  ask("10.255.0.1");
  ask("10.255.0.2");
  for (let index = 0; index < 9998; index++) ask(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);
  expect(ask("10.255.0.1")).toBe("429 1");
  ask("10.254.0.1");
  // The second was unseen for longest.
  expect(ask("10.255.0.2")).toBe(200);
  expect(ask("10.255.0.1")).toBe("429 1");
});
