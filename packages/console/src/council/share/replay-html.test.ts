import type { Capsule } from "@mci-ts/council-server/api";
import { expect, test } from "vitest";
import { replayHtml } from "./replay-html.ts";

const BUNDLE = { script: "run()", scriptHash: "sha256-a", style: "p{}", styleHash: "sha256-b" };

test("hostile texts stay data of the file, and its policy allows one script and one style [UI-share]", () => {
  const hostile = '</script><script>alert(1)</script><!--<img src=x onerror="alert(2)">';
  const capsule = {
    run: { prompt: `"><svg onload=alert(3)>${hostile}` },
    events: [hostile],
  } as unknown as Capsule;
  const html = replayHtml(capsule, {}, BUNDLE);
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(html.match(/<\/script/g)).toHaveLength(2);
  expect(html).not.toMatch(/<(svg|img)|<!--/);
  expect(html).toContain("script-src 'sha256-a'; style-src 'sha256-b'");
  const [, data] = /id="capsule">(.*)<\/script>\n<script type="module">/s.exec(html)!;
  expect(JSON.parse(data!)).toEqual({ capsule, parts: {} });
});
