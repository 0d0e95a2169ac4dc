import * as z from "zod/mini";

const entries = z.record(
  z.string(),
  z.object({ source: z.string(), digest: z.string(), parts: z.record(z.string(), z.string()) }),
);
const lockSchema = z.object({ lockVersion: z.literal(3), tools: entries, content: z.optional(entries) });

export function parseLock(data: unknown): z.core.util.SafeParseResult<z.infer<typeof lockSchema>> {
  return z.safeParse(lockSchema, data);
}
