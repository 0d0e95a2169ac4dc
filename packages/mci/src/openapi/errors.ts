import { MCIClientError } from "../errors.ts";

/** The document cannot be imported at all. */
export function importError(message: string, cause?: unknown): MCIClientError {
  return new MCIClientError("import_failed", message, { cause });
}

/** One operation cannot become a tool; the others can. */
export class SkippedOperation extends Error {}
