import { describe, expect, it } from "vitest";
import { RateLimit } from "./rate-limit.ts";

describe("the rate limit", () => {
  it("lets a minute's worth through at once, then refills evenly, client by client", () => {
    let now = 0;
    const limit = new RateLimit(60, () => now);
    for (let n = 0; n < 60; n++) limit.take("a");
    expect(() => limit.take("a")).toThrow(
      expect.objectContaining({ status: 429, headers: { "retry-after": "1" } }),
    );
    expect(() => limit.take("b")).not.toThrow();
    now += 2000;
    expect(() => limit.take("a")).not.toThrow();
    expect(() => limit.take("a")).not.toThrow();
    expect(() => limit.take("a")).toThrow(expect.objectContaining({ code: "rate_limited" }));
  });

  it("can be turned off", () => {
    const limit = new RateLimit(0);
    expect(() => {
      for (let n = 0; n < 10_000; n++) limit.take("a");
    }).not.toThrow();
  });
});
