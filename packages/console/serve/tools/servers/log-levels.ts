import type { LogLevel } from "mci-ts";

/** As in syslog; the least severe first. Written out, because the page has no part of the library. */
export const LOG_LEVELS = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const satisfies readonly LogLevel[];
