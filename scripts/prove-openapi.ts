/**
 * Imports OpenAPI documents, calls every tool against a local server and checks each request against its document:
 *
 *   node scripts/prove-openapi.ts FILE...
 *
 * Prints operations, calls, failures and what was left out; exits 1 if a request did not fit.
 */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { proveWireForm } from "../packages/mci/test/openapi/wire/prove.ts";

const MAX_SHOWN = Number(process.env.MAX_SHOWN ?? 10);

let failed = false;
for (const file of process.argv.slice(2)) {
  const proof = await proveWireForm(readFileSync(file, "utf8"));
  const { operations, tools, calls, passed, failures, ungenerated, skipped, importMs, largestSchema } = proof;
  console.log(
    `${basename(file)}: ${operations} operations, ${tools} tools, ${passed} of ${calls} calls as the document says, ` +
      `imported in ${importMs} ms, largest schema ${largestSchema} bytes`,
  );
  for (const { method, path, reason } of skipped) console.log(`  left out: ${method} ${path}: ${reason}`);
  if (ungenerated.length > 0)
    console.log(`  no input found: ${ungenerated.slice(0, MAX_SHOWN).join(", ")} (${ungenerated.length})`);
  for (const failure of failures.slice(0, MAX_SHOWN)) console.log(`  FAILED ${failure}`);
  failed ||= failures.length > 0;
}
process.exitCode = failed ? 1 : 0;
