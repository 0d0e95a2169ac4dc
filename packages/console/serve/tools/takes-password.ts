/** What a schema nests deeper is taken for a password. */
const MAX_SCHEMA_DEPTH = 50;

/** Anywhere in the schema: what is typed there may be repeated by the request and by the response. */
export function takesPassword(schema: unknown, depth = 0): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  const { format, writeOnly } = schema as { format?: unknown; writeOnly?: unknown };
  return (
    format === "password" ||
    writeOnly === true ||
    depth > MAX_SCHEMA_DEPTH ||
    Object.values(schema).some((each) => takesPassword(each, depth + 1))
  );
}
