import { type JsonObject, textField } from "../json.ts";

/** What a model reads about a tool: summary, then description. */
export function describeOperation(operation: {
  readonly method: string;
  readonly path: string;
  readonly deprecated: boolean;
  readonly value: JsonObject;
}): string {
  const summary = textField(operation.value, "summary")?.trim();
  const description = textField(operation.value, "description")?.trim();
  const repeats = summary !== undefined && description?.toLowerCase().startsWith(summary.toLowerCase());
  const pieces = [
    operation.deprecated ? "Deprecated." : undefined,
    repeats ? undefined : summary,
    description,
  ];
  const text = pieces.filter((piece) => piece !== undefined).join("\n\n");
  return text === "" ? `${operation.method} ${operation.path}` : text;
}

/** At most `maxLength` characters, cut after a word and marked. */
export function truncateText(text: string, maxLength: number): string {
  const trimmed = text.trim().toWellFormed();
  if (trimmed.length <= maxLength) return trimmed;
  const start = trimmed.slice(0, Math.max(0, maxLength - 1)).replace(/[\uD800-\uDBFF]$/, "");
  const end = start.search(/\s+\S*$/);
  return `${(end > maxLength / 2 ? start.slice(0, end) : start).trimEnd()}…`;
}
