import type { Output } from "../command.ts";
import { escapeControls } from "../print/escape-controls.ts";
import { plural } from "../print/plural.ts";
import { style } from "../print/style.ts";
import type { Imported, Skipped } from "./imported.ts";
import type { Changes } from "./merge.ts";
import { describeQuality, qualityOf } from "./quality.ts";
import type { WrittenEnv } from "./write-env.ts";

/** Lines of one kind that are shown; --format json has all of them. */
const MAX_LINES = 15;

/** What an import did, for people. */
export function printSummary(
  imported: Imported,
  changes: Changes | undefined,
  file: string | undefined,
  output: Output,
  env: Readonly<Record<string, string | undefined>> = {},
): void {
  const say = (text: string) => output.write(`${escapeControls(text)}\n`);
  const { tools = [], mcp_servers: servers = {} } = imported.document;
  const made = [plural(tools.length, "tool"), plural(Object.keys(servers).length, "MCP server")].filter(
    (text) => !text.startsWith("0 "),
  );
  output.write(
    `${style(output, "green", "Imported")} ${made.join(" and ") || "nothing"}${file === undefined ? "" : ` into ${escapeControls(file)}`}\n`,
  );
  if (changes?.existed) {
    const kinds = ["added", "removed", "changed"] as const;
    const counts = kinds.map((kind) => `${changes[kind].length} ${kind}`);
    say(`  Compared with the file before: ${counts.join(", ")}`);
    for (const kind of kinds) if (changes[kind].length > 0) say(`    ${kind}: ${firstNames(changes[kind])}`);
  }
  for (const [reason, items] of byReason(imported.skipped.filter(({ byChoice }) => byChoice)))
    say(`  Not chosen (${reason}): ${items.length}`);
  const lost = imported.skipped.filter(({ byChoice }) => !byChoice);
  if (lost.length > 0) say(`  Left out: ${lost.length}`);
  for (const { what, reason } of lost.slice(0, MAX_LINES)) say(`    ${what}: ${reason}`);
  if (lost.length > MAX_LINES) say(`    … and ${lost.length - MAX_LINES} more (--format json)`);
  if (imported.warnings.length > 0) output.write(`  ${style(output, "yellow", "Please look at")}\n`);
  for (const warning of imported.warnings.slice(0, MAX_LINES)) say(`    ${warning}`);
  if (imported.warnings.length > MAX_LINES)
    say(`    … and ${imported.warnings.length - MAX_LINES} more (--format json)`);
  if (tools.length > 0) say(`  ${describeQuality(qualityOf(imported.document))}`);
  const { followed = [], unclear = [] } = imported.pages ?? {};
  if (followed.length > 0)
    say(`  Pages are followed by ${plural(followed.length, "tool")} (pagination): ${firstNames(followed)}`);
  if (unclear.length > 0)
    say(
      `  Pages are not followed by ${plural(unclear.length, "tool")}, as the document does not show how (set pagination): ${firstNames(unclear)}`,
    );
  if (imported.variables.length > 0) say("  Variables");
  for (const { name, description, required, default: value } of imported.variables) {
    const isSet = (env[name] ?? "") !== "";
    // The document chose the name: a value that is there for something else would be sent to its host.
    const note = isSet
      ? " (already set here: its value is used)"
      : required
        ? " (set it)"
        : ` (default ${value})`;
    say(`    ${name}  ${description}${note}`);
  }
}

/** What --write-env did. */
export function printWrittenEnv(
  { written, kept, open, isReadableByOthers }: WrittenEnv,
  file: string,
  output: Output,
): void {
  const say = (text: string) => output.write(`${escapeControls(text)}\n`);
  say(
    `Wrote ${plural(written.length, "value")} to ${file}${written.length > 0 ? `: ${firstNames(written)}` : ""}`,
  );
  if (kept.length > 0) say(`  Already there, and left as they are: ${firstNames(kept)}`);
  if (open.length > 0) say(`  To be filled in: ${firstNames(open)}`);
  if (written.length > 0 && isReadableByOthers)
    say(`  warning: other users of this machine may read it. To change that: chmod 600 ${file}`);
}

function byReason(skipped: readonly Skipped[]): Map<string, Skipped[]> {
  return Map.groupBy(skipped, ({ reason }) => reason);
}

function firstNames(names: readonly string[]): string {
  const listing = names.slice(0, MAX_LINES).join(", ");
  return names.length > MAX_LINES ? `${listing} and ${names.length - MAX_LINES} more` : listing;
}

/** The same for programs. */
export function summaryAsJson(
  imported: Imported,
  changes: Changes | undefined,
  file: string | undefined,
): string {
  const { tools = [], mcp_servers: servers = {} } = imported.document;
  const summary = {
    file: file ?? null,
    tools: tools.map(({ name }) => name),
    mcpServers: Object.keys(servers),
    added: changes?.added ?? [],
    removed: changes?.removed ?? [],
    changed: changes?.changed ?? [],
    skipped: imported.skipped,
    warnings: imported.warnings,
    ...(imported.pages === undefined ? {} : { pages: imported.pages }),
    variables: imported.variables,
    ...(tools.length > 0 ? { quality: qualityOf(imported.document) } : {}),
    // There is no file to read it from.
    ...(file === undefined ? { document: imported.document } : {}),
  };
  return `${JSON.stringify(summary, null, 2)}\n`;
}
