import { z } from "zod";
import type { ApiType } from "./api-type.ts";

const Bin = z.strictObject({
  from: z.number(),
  to: z.number(),
  outcomes: z.int(),
  stated: z.number().describe("Mean of what was stated."),
  right: z.number().describe("Share that was right."),
  interval: z.tuple([z.number(), z.number()]).describe("95 % interval of that share."),
});

const Price = z.strictObject({
  k: z.int(),
  right: z.number().describe("Chance that an answer that wins by k is right."),
  votes: z.number().describe("Valid votes that are expected."),
  cost_usd: z.number().nullable().describe("What they cost; null: unknown."),
});

/** Outcomes of votes of one kind. */
export const CalibrationGroup = z
  .strictObject({
    model: z.string(),
    strategy: z.string(),
    kind: z.string().nullable().describe("Of the answers; null: of all kinds."),
    outcomes: z.int(),
    by_check: z.int().describe("Outcomes that a program checked; people and evaluations said the others."),
    right: z.number().describe("Share that was right."),
    interval: z.tuple([z.number(), z.number()]),
    confidence: z.array(Bin).describe("Stated confidence against truth. Empty: none was stated yet."),
    agreement: z.array(Bin).describe("Share of the votes for the leader against truth."),
    p: z.number().nullable().describe("Chance that one vote is right; null: too few outcomes."),
    dependence: z.number().nullable().describe("How far votes repeat each other, 0 to 1."),
    prices: z.array(Price).describe("For each k; empty with too few outcomes."),
    k: z
      .int()
      .nullable()
      .describe("The smallest that reaches the target; null: none does, or too few outcomes."),
  })
  .meta({ id: "CalibrationGroup" });
export type CalibrationGroup = ApiType<typeof CalibrationGroup>;

export const CalibrationReport = z
  .strictObject({
    target: z.number().describe("The chance of being right that `k` is chosen for."),
    needed: z.int().describe("Outcomes of a group before its votes are measured."),
    outcomes: z.int(),
    groups: z.array(CalibrationGroup).describe("Most outcomes first."),
  })
  .meta({ id: "CalibrationReport" });
export type CalibrationReport = ApiType<typeof CalibrationReport>;
