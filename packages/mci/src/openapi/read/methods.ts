/** Fields of a path item that are operations, in the order in which they become tools. */
export const METHODS = [
  "get",
  "put",
  "post",
  "delete",
  "options",
  "head",
  "patch",
  "trace",
  "query",
] as const;

/** Methods that change nothing, by the rules of HTTP. */
export const SAFE_METHODS: readonly string[] = ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"];
