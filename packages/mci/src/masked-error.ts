import type { Secrets } from "./secrets.ts";

/** Causes of causes that are kept; a chain may be a circle. */
const MAX_CAUSES = 10;

/**
 * The same error without secrets, its causes too: who logs an error logs those. Nothing else is kept of them, because libraries hang
 * the whole response of a server to their errors.
 */
export function maskedError(error: unknown, secrets: Secrets, depth = 0): Error {
  const { name, message, stack, cause } = error instanceof Error ? error : new Error(String(error));
  const masked = new Error(secrets.mask(message), {
    ...(cause instanceof Error && depth < MAX_CAUSES && { cause: maskedError(cause, secrets, depth + 1) }),
  });
  masked.name = secrets.mask(name);
  // A secret that is cut off at the end of the message stands in the middle of the stack.
  if (stack !== undefined) masked.stack = secrets.mask(stack.replaceAll(message, () => masked.message));
  return masked;
}
