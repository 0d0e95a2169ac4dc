import { expect, it } from "vitest";
import { readRetryAfter } from "./model-error.ts";
import { holdAfter } from "./rate-limit-headers.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");

it.each<[string, Record<string, string>, number]>([
  ["nothing", {}, 0],
  [
    "enough left",
    {
      "x-ratelimit-limit-tokens": "6000",
      "x-ratelimit-remaining-tokens": "5000",
      "x-ratelimit-reset-tokens": "10s",
    },
    0,
  ],
  [
    "half of a call's tokens left: the part of the reset that brings the rest",
    {
      "x-ratelimit-limit-tokens": "1100",
      "x-ratelimit-remaining-tokens": "100",
      "x-ratelimit-reset-tokens": "10s",
    },
    1000,
  ],
  [
    "no request left, at OpenAI and Groq",
    {
      "x-ratelimit-limit-requests": "1",
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-reset-requests": "1m2.5s",
    },
    62_500,
  ],
  [
    "no request left, at Anthropic",
    {
      "anthropic-ratelimit-requests-limit": "1",
      "anthropic-ratelimit-requests-remaining": "0",
      "anthropic-ratelimit-requests-reset": "2026-01-01T00:00:07Z",
    },
    7000,
  ],
  [
    "a day's limit used up, which is not a pause",
    {
      "x-ratelimit-limit-requests": "100",
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-reset-requests": "5h",
    },
    0,
  ],
  [
    "nonsense",
    {
      "x-ratelimit-limit-requests": "many",
      "x-ratelimit-remaining-requests": "-",
      "x-ratelimit-reset-requests": "soon",
    },
    0,
  ],
])("headers that say %s hold calls as long as needed [M-limiter]", (_, headers, ms) => {
  expect(holdAfter(new Map(Object.entries(headers)), 200, NOW)).toBe(ms);
});

it("times are those of the provider's clock, whatever this machine's says [M-limiter]", () => {
  const headers = {
    date: "Thu, 01 Jan 2026 00:00:00 GMT",
    "retry-after": "Thu, 01 Jan 2026 00:00:05 GMT",
    "anthropic-ratelimit-requests-limit": "1",
    "anthropic-ratelimit-requests-remaining": "0",
    "anthropic-ratelimit-requests-reset": "2026-01-01T00:00:07Z",
  };
  expect(holdAfter(new Map(Object.entries(headers)), 200)).toBe(7000);
  expect(readRetryAfter(headers)).toBe(5000);
});
