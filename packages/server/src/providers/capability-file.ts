import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { LEARNT_TTL_MS, type Learnt } from "./capabilities.ts";

const File = z.object({
  version: z.literal(1),
  models: z.record(
    z.string(),
    z.strictObject({
      structured: z.record(z.string(), z.enum(["json_schema", "json_object", "words"])).optional(),
      temperature: z.boolean().optional(),
      tokenLimit: z.enum(["max_tokens", "max_completion_tokens", "none"]).optional(),
      system: z.boolean().optional(),
      reasoning: z.boolean().optional(),
      tools: z.boolean().optional(),
      at: z.number(),
    }),
  ),
});

/** What was learnt about models, stored in the data folder. It is a cache: a file that cannot be read or written costs a few calls. */
export function capabilityFile(path: string): {
  readonly known: ReadonlyMap<string, Learnt>;
  readonly save: (known: ReadonlyMap<string, Learnt>) => void;
} {
  return { known: read(path), save: (known) => write(path, known) };
}

function read(path: string): ReadonlyMap<string, Learnt> {
  try {
    const { models } = File.parse(JSON.parse(readFileSync(path, "utf8")));
    const expired = Date.now() - LEARNT_TTL_MS;
    return new Map(Object.entries(models).filter(([, { at }]) => at > expired) as [string, Learnt][]);
  } catch {
    return new Map();
  }
}

/** Seldom and small, so at once; by renaming, so that a kill leaves the old file or the new one. */
function write(path: string, known: ReadonlyMap<string, Learnt>): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      temporary,
      `${JSON.stringify({ version: 1, models: Object.fromEntries(known) }, null, 1)}\n`,
    );
    renameSync(temporary, path);
  } catch {
    // A full or read-only disk: the lessons hold until the process ends.
  }
}
