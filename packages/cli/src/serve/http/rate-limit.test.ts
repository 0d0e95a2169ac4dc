import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { rateCheck } from "./rate-limit.ts";

/** A limit with a clock in the test's hand. */
function limit(perSecond: number, countsLoopback = true) {
  let time = 0;
  const check = rateCheck({ perSecond, countsLoopback }, () => time);
  return {
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    ask: (remoteAddress: string) => check({ socket: { remoteAddress } } as IncomingMessage),
  };
}

test("[RUN-http-rate] two seconds' worth may come at once, then so many a second", () => {
  const { ask, pass } = limit(10);
  for (let index = 0; index < 20; index++) expect(ask("10.0.0.1")).toBeUndefined();
  expect(ask("10.0.0.1")).toMatchObject({ status: 429, headers: { "retry-after": "1" } });
  pass(100);
  expect(ask("10.0.0.1")).toBeUndefined();
  expect(ask("10.0.0.1")).toBeDefined();
  pass(60_000);
  for (let index = 0; index < 20; index++) expect(ask("10.0.0.1")).toBeUndefined();
  expect(ask("10.0.0.1")).toBeDefined();
});

test("[RUN-http-rate] each address is counted for itself, and an IPv6 network as one", () => {
  const { ask } = limit(1);
  const drain = (address: string) => [1, 2, 3].map(() => ask(address)?.status ?? 200);
  expect(drain("10.0.0.1")).toEqual([200, 200, 429]);
  expect(drain("10.0.0.2")).toEqual([200, 200, 429]);
  expect(drain("::ffff:10.0.0.3")).toEqual([200, 200, 429]);
  expect(drain("::ffff:10.0.0.4")).toEqual([200, 200, 429]);
  expect(drain("2001:db8::1")).toEqual([200, 200, 429]);
  expect(drain("2001:db8:0:0:ffff::2")).toEqual([429, 429, 429]);
  expect(drain("2001:db8:0:1::1")).toEqual([200, 200, 429]);
});

test("[RUN-http-rate] this machine is counted only if that is asked for", () => {
  const free = limit(1, false);
  for (let index = 0; index < 100; index++) expect(free.ask("127.0.0.1")).toBeUndefined();
  const counted = limit(1);
  const statuses = [1, 2, 3].map(() => counted.ask("127.0.0.1")?.status);
  expect(statuses).toEqual([undefined, undefined, 429]);
});

test("[RUN-http-rate] a slow limit says how long to wait; what is kept in mind is bounded", () => {
  const { ask } = limit(1);
  for (let index = 0; index < 30_000; index++) ask(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);
  // The first was forgotten long ago, the last was not.
  expect(ask("10.0.0.0")).toBeUndefined();
  expect([1, 2].map(() => ask("10.0.117.47")?.status)).toEqual([undefined, 429]);
});
