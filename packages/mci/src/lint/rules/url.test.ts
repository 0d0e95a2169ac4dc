import { expect, test } from "vitest";
import { invalidUrl } from "./url.ts";

test.each([
  ["https://example.com/x", true],
  ["HTTP://127.0.0.1:8080", true],
  ["https://{{props.host}}/x", true],
  ["{{env.BASE}}/x", true],
  ["{!!props.url!!}", true],
  ["http{{props.s}}://example.com", true],
  ["example.com/x", false],
  ["example.com/{{props.x}}", false],
  ["/v1/{{props.x}}", false],
  ["ftp://example.com", false],
  ["https://exa mple.com", false],
  ["https://", false],
  ["htp://{{env.HOST}}", false],
])("[I-address] %s may work: %s", (url, isUsable) => {
  expect(invalidUrl(url, ["url"]).length).toBe(isUsable ? 0 : 1);
});
