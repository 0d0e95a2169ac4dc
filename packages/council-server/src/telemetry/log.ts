import type { Log, LogFields } from "@mci-ts/council";
import { escapeControls } from "@mci-ts/primitives/escape-controls";

export const LOG_FORMATS = ["text", "json"] as const;

export interface LogOptions {
  readonly format: (typeof LOG_FORMATS)[number];
  /** This process: ids of its leases begin with it. */
  readonly instance: string;
  /** Default: standard error. */
  readonly write?: (line: string) => void;
}

/** The log of the service: a line of text or of JSON for each entry. */
export function createLog({ format, instance, write = toStandardError }: LogOptions): Log {
  const render = format === "json" ? asJson : asText;
  return (message, fields = {}) => write(`${render(message, fields, instance)}\n`);
}

/** The order is that in which people read them. */
function asJson(message: string, { level = "warn", run, task }: LogFields, instance: string): string {
  const entry = { time: new Date().toISOString(), level, instance, message, run, task };
  return escapeControls(JSON.stringify(entry));
}

/** Messages name their run and their task themselves. Later lines of a message are indented: none can pass for an entry. */
function asText(message: string, { level = "warn" }: LogFields): string {
  const lines = message.split(/\r\n|[\r\n\u0085\u2028\u2029]/).map(escapeControls);
  return `${new Date().toISOString()} ${level} ${lines.join("\n    ")}`;
}

function toStandardError(line: string): void {
  process.stderr.write(line);
}
