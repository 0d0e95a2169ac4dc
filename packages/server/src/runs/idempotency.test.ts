import { describe, expect, it } from "vitest";
import { fingerprint, IdempotencyKeys } from "./idempotency.ts";

describe("idempotency keys", () => {
  it("forget the oldest when there are too many", () => {
    const keys = new IdempotencyKeys<number>(2);
    for (const n of [1, 2, 3]) keys.set(`key-${n}`, "print", n);
    expect([1, 2, 3].map((n) => keys.get(`key-${n}`)?.entry)).toEqual([undefined, 2, 3]);
  });

  it("are only given up by their owner", () => {
    const keys = new IdempotencyKeys<number>();
    keys.set("key", "print", 1);
    keys.delete("key", 2);
    keys.replace("key", 2, 3);
    expect(keys.get("key")?.entry).toBe(1);
    keys.replace("key", 1, 4);
    expect(keys.get("key")).toEqual({ fingerprint: "print", entry: 4 });
  });

  it("know a request whatever the order of its fields", () => {
    expect(fingerprint({ a: 1, b: { c: [1, 2], d: 2 } })).toBe(fingerprint({ b: { d: 2, c: [1, 2] }, a: 1 }));
    expect(fingerprint({ a: [1, 2] })).not.toBe(fingerprint({ a: [2, 1] }));
  });
});
