import { z } from "zod";
import { contextSchema, requestConfigSchema } from "./request-config.ts";
import { INTENTS } from "./strategies/strategies.ts";

/** What a caller may ask. Unknown fields are refused, so that a misspelt limit is not silently no limit. */
export const councilRequestSchema = z.strictObject({
  prompt: z
    .string()
    .refine((text) => text.trim() !== "", "must not be empty")
    .describe("The question or the task."),
  context: contextSchema
    .optional()
    .describe("What helps to answer: code, history, filePath and any other metadata."),
  intent: z.enum(INTENTS).optional().describe("Picks the tool. Default: the prompt decides."),
  config: requestConfigSchema.optional().describe("Overrides of the defaults."),
});
export type CouncilRequest = z.infer<typeof councilRequestSchema>;
