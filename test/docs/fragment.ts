type Fields = Readonly<Record<string, unknown>>;

const EXECUTION_TYPES = ["http", "cli", "file", "text", "mcp"];
const OF_A_DOCUMENT = [
  "toolsets",
  "mcp_servers",
  "libraryDir",
  "enableAnyPaths",
  "directoryAllowList",
  "tools",
];
const OF_A_TOOL = ["execution", "inputSchema", "annotations", "tags"];
const OF_HTTP = ["auth", "body", "params", "headers", "retries", "url", "timeout_ms"];
const OF_CLI = ["args", "flags", "cwd", "env", "inheritEnv"];

/** The smallest document around a piece of one, by the keys it has; undefined if it is not a piece of an MCI file. */
export function asDocument(piece: unknown): object | undefined {
  if (Array.isArray(piece))
    return piece.length > 0 && piece.every(isTool) ? document({ tools: piece }) : undefined;
  if (!isFields(piece)) return undefined;
  if ("schemaVersion" in piece) return piece;
  if (hasOnly(piece, OF_A_DOCUMENT)) return document({ tools: [], ...piece });
  if (isTool(piece)) return document({ tools: [piece] });
  if (hasOnly(piece, OF_A_TOOL)) return document({ tools: [tool(piece)] });
  if (EXECUTION_TYPES.includes(String(piece["type"])))
    return document({ tools: [tool({ execution: piece })] });
  if (hasOnly(piece, OF_HTTP)) {
    const execution = { type: "http", url: "https://api.example.com", ...piece };
    return document({ tools: [tool({ execution })] });
  }
  if (hasOnly(piece, OF_CLI))
    return document({ tools: [tool({ execution: { type: "cli", command: "x", ...piece } })] });
  return undefined;
}

function document(fields: Fields): object {
  return { schemaVersion: "1.0", ...fields };
}

function tool(fields: Fields): object {
  return { name: "example", execution: { type: "text", text: "" }, ...fields };
}

function isTool(value: unknown): boolean {
  return isFields(value) && "name" in value && "execution" in value;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasOnly(piece: Fields, keys: readonly string[]): boolean {
  return Object.keys(piece).length > 0 && Object.keys(piece).every((key) => keys.includes(key));
}
