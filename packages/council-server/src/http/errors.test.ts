import { readFileSync } from "node:fs";
import { COUNCIL_ERROR_CODES } from "@mci-ts/council";
import { expect, test } from "vitest";
import { HTTP_ERRORS } from "./errors.ts";

test("[A-errors] the page lists every code with its status and meaning, and no other", () => {
  const page = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\d{3}) \| (.+) \|$/gm)];
  const listed = Object.fromEntries(
    rows.map(([, code, status, meaning]) => [code, [Number(status), meaning]]),
  );
  expect(listed).toEqual(HTTP_ERRORS);
});

test("[A-errors] every way a run of the engine can end has a code of the service", () => {
  expect(Object.keys(HTTP_ERRORS)).toEqual(expect.arrayContaining(Object.keys(COUNCIL_ERROR_CODES)));
});
