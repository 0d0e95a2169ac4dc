import type pg from "pg";

/**
 * Prepares the statements that DBOS sends for every step, once per connection: for PostgreSQL to parse and plan them takes longer
 * than to run them. All find one row by its primary key, so that one plan fits all values.
 */
export function prepareStepStatements(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const prepared = (text: unknown, values?: unknown, ...rest: unknown[]) => {
    const name = typeof text === "string" && Array.isArray(values) ? nameOf(text) : undefined;
    return name === undefined ? query(text, values, ...rest) : query({ name, text, values }, ...rest);
  };
  client.query = prepared as pg.ClientBase["query"];
}

/** Begin and end of the statements; between them are names of columns. */
const STEP_STATEMENTS = [
  /^SELECT [\w, ]+ FROM "dbos"\.workflow_status WHERE workflow_uuid ?= ?\$1( FOR NO KEY UPDATE)?$/,
  /^SELECT [\w, ]+ FROM "dbos"\.operation_outputs WHERE workflow_uuid=\$1 AND function_id=\$2$/,
  /^INSERT INTO "dbos"\.operation_outputs \([\w, ]+\) VALUES \(\$1, /,
];

const names = new Map<string, string | undefined>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.has(text)) return known;
  // Others are written anew for each number of values: they are not worth remembering.
  if (names.size >= MAX_KNOWN) return undefined;
  const plain = text.replaceAll(/\s+/g, " ").trim();
  const name = STEP_STATEMENTS.some((form) => form.test(plain)) ? `step_${names.size}` : undefined;
  names.set(text, name);
  return name;
}

const MAX_KNOWN = 200;
