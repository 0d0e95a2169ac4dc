import { z } from "zod";
import type { ApiType } from "./api-type.ts";
import { RunCall } from "./call-schemas.ts";
import { RunEvent } from "./event-schemas.ts";
import { Run } from "./run-schemas.ts";

/** A run as one file. */
export const Capsule = z
  .strictObject({
    capsule: z.literal(1).describe("The version of this format."),
    version: z.string().describe("Of the service."),
    exported_at: z.iso.datetime(),
    run: Run,
    events: z.array(RunEvent).describe("All of them, the last with the response."),
    calls: z.array(RunCall).describe("Prompts and replies, as far as the history has them."),
  })
  .meta({ id: "Capsule" });
export type Capsule = ApiType<typeof Capsule>;
