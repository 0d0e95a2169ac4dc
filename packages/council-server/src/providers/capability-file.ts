import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { type LearnedLimits, LIMITS_TTL_MS } from "./capabilities.ts";

const File = z.object({
  version: z.literal(2),
  models: z.record(
    z.string(),
    z.strictObject({
      structured: z.record(z.string(), z.enum(["json_schema", "json_object", "prompt"])).optional(),
      temperature: z.boolean().optional(),
      tokenLimit: z.enum(["max_tokens", "max_completion_tokens", "none"]).optional(),
      system: z.boolean().optional(),
      reasoning: z.boolean().optional(),
      tools: z.boolean().optional(),
      at: z.number(),
    }),
  ),
});

/** The limits of models, stored in the data folder. It is a cache: a file that cannot be read or written costs a few calls. */
export function capabilityFile(path: string): {
  readonly limits: ReadonlyMap<string, LearnedLimits>;
  readonly save: (limits: ReadonlyMap<string, LearnedLimits>) => void;
} {
  return { limits: readLimits(path), save: (limits) => writeLimits(path, limits) };
}

function readLimits(path: string): ReadonlyMap<string, LearnedLimits> {
  try {
    const { models } = File.parse(JSON.parse(readFileSync(path, "utf8")));
    const expired = Date.now() - LIMITS_TTL_MS;
    return new Map(Object.entries(models).filter(([, { at }]) => at > expired) as [string, LearnedLimits][]);
  } catch {
    return new Map();
  }
}

/** Seldom and small, so at once; by renaming, so that a kill leaves the old file or the new one. */
function writeLimits(path: string, limits: ReadonlyMap<string, LearnedLimits>): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      temporary,
      `${JSON.stringify({ version: 2, models: Object.fromEntries(limits) }, null, 1)}\n`,
    );
    renameSync(temporary, path);
  } catch {
    // A full or read-only disk: the limits are known until the process ends.
  }
}
