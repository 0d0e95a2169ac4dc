import { join } from "node:path";
import { CliError } from "../cli-error.ts";
import type { Imported, Skipped } from "./imported.ts";

/**
 * What passes `mci validate` of an import. A document may say what the file format has no words for; the tools that
 * would make the file invalid are left out, with the reason. An error outside of tools refuses the import.
 */
export async function leaveOutInvalid(imported: Imported, folder: string): Promise<Imported> {
  const { lintFile } = await import("mci-ts");
  const { tools = [] } = imported.document;
  const { problems } = await lintFile(join(folder, "tools.json"), {
    source: JSON.stringify(imported.document),
  });
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return imported;
  const reasons = new Map<number, string>();
  for (const { message, path = "" } of errors) {
    const [, index, place = ""] = /^tools\[(\d{1,9})\]\.?(.*)$/s.exec(path) ?? [];
    if (index === undefined) throw new CliError(`The import would not be valid: ${path} ${message}`);
    if (!reasons.has(Number(index)))
      reasons.set(Number(index), `it would not be valid: ${place}: ${message}`);
  }
  const skipped = [...reasons].map(
    ([index, reason]): Skipped => ({ what: tools[index]?.name ?? `tool ${index}`, reason, byChoice: false }),
  );
  if (skipped.length === tools.length)
    throw new CliError(
      `No tool would be valid:${skipped.map(({ what, reason }) => `\n  ${what}: ${reason}`).join("")}`,
    );
  return {
    ...imported,
    document: { ...imported.document, tools: tools.filter((_, index) => !reasons.has(index)) },
    skipped: [...imported.skipped, ...skipped],
  };
}
