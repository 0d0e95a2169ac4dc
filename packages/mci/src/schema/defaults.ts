/** What applies where a file does not say. The descriptions in the published JSON Schema are made from these, too. */

/** Where toolsets and cached tool lists are, relative to the entry file. */
export const DEFAULT_LIBRARY_DIR = "./mci";
/** Deadline of an HTTP request or a command. */
export const DEFAULT_TIMEOUT_MS = 30_000;
/** Deadline of a call to an MCP server. */
export const DEFAULT_MCP_TIMEOUT_MS = 60_000;
/** Attempts of an HTTP request in all, the first included. */
export const DEFAULT_ATTEMPTS = 1;
/** Wait before the second attempt; doubled each time. */
export const DEFAULT_BACKOFF_MS = 500;
/** Days until the cached tool list of an MCP server expires. */
export const DEFAULT_CACHE_DAYS = 30;
