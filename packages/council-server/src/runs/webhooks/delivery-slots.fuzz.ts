import * as fc from "fast-check";
import { DeliverySlots } from "./delivery-slots.ts";

const name = (kind: string, count: number) => fc.nat(count - 1).map((index) => `${kind}${index}`);
/** Many of few hosts and callers, so that limits are reached; 0 gives the oldest slot back. */
const step = fc.tuple(name("host", 2), name("caller", 6), fc.nat(4));
const repeated = fc.array(fc.tuple(step, fc.integer({ min: 1, max: 40 })), { minLength: 1, maxLength: 8 });

export default [
  {
    name: "webhooks: in memory are at most 100 of a host and 25 of a caller, and all who have room get a slot",
    property: fc.property(repeated, (steps) => {
      const slots = new DeliverySlots();
      const held: (readonly [string, string])[] = [];
      const count = (index: 0 | 1, name: string) => held.filter((one) => one[index] === name).length;
      for (const [[host, caller, kind], times] of steps) {
        for (let i = 0; i < times; i++) {
          if (kind === 0) {
            const oldest = held.shift();
            if (oldest !== undefined) slots.release(...oldest);
            continue;
          }
          const hasRoom = count(0, host) < 100 && count(1, caller) < 25;
          if (slots.acquire(host, caller) !== hasRoom) return false;
          if (hasRoom) held.push([host, caller]);
        }
      }
      return true;
    }),
  },
];
