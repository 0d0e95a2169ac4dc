import { CliError } from "../cli-error.ts";
import type { Skipped } from "./imported.ts";

/** Why an OpenAPI document made no tool, and what to change. */
export function noOperationsError(skipped: readonly Skipped[]): CliError {
  if (skipped.length === 0) return new CliError("The document has no operations: its 'paths' are empty.");
  const counts = [...Map.groupBy(skipped, ({ reason }) => reason)].map(
    ([reason, items]) => `${reason} (${items.length})`,
  );
  const message = `No operation is left: ${counts.slice(0, 5).join(", ")}${counts.length > 5 ? ", …" : ""}.`;
  if (skipped.some(({ reason, byChoice }) => byChoice && reason !== "deprecated"))
    return new CliError(message, {
      hint: "Try without --tag, --path, --method, --operation, --read-only and --exclude.",
    });
  const isDeprecated = skipped.some(({ byChoice }) => byChoice);
  return new CliError(message, isDeprecated ? { hint: "Import them with --include-deprecated." } : {});
}
