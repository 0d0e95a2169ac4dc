/** The methods that a tool can send. */
export const HTTP_METHODS = [
  "GET",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "HEAD",
  "OPTIONS",
  "TRACE",
  "QUERY",
] as const;

/** Methods that change nothing, by the rules of HTTP. */
export const SAFE_METHODS: readonly string[] = ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"];
