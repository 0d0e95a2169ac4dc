import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { proveWireForm } from "./wire/prove.ts";

const document = new URL("./documents/everything.yaml", import.meta.url);

test("[I-wire] every style, place, body and scheme arrives as the document says", async () => {
  const report = await proveWireForm(readFileSync(document, "utf8"));
  expect(report.failures).toEqual([]);
  expect(report.ungenerated).toEqual([]);
  expect(report.skipped).toEqual([]);
  expect(report.passed).toBe(report.calls);
  expect(report.calls).toBe(report.operations * 2);
});

/** A folder of real documents, which are too large to keep here. */
const folder = process.env.MCI_OPENAPI_DOCUMENTS;
const files =
  folder !== undefined && existsSync(folder)
    ? readdirSync(folder).filter((name) => /\.(json|ya?ml)$/.test(name))
    : [];
if (files.length === 0)
  console.log("Real documents are skipped: MCI_OPENAPI_DOCUMENTS names no folder with any.");

describe.skipIf(files.length === 0)("real documents", () => {
  test.each(files.length === 0 ? ["none"] : files)(
    "[I-wire] %s: every request is as the document says",
    async (name) => {
      const report = await proveWireForm(readFileSync(join(folder!, name), "utf8"));
      expect(report.failures).toEqual([]);
      expect(report.skipped).toEqual([]);
      expect(report.largestSchema).toBeLessThanOrEqual(50_000);
    },
    300_000,
  );
});
