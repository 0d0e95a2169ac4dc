import { expect, test } from "vitest";
import { z } from "zod";
import { withinCpuMs } from "../../../../test/cpu-time.ts";
import type { ModelReply } from "../model.ts";
import { checkReply } from "./red-flags.ts";

const FIELDS = ["answer", "other", "proposal", "decision", "task", "question", "refusal"];
const schema = z.record(z.string(), z.string());

const check = (said: string, question: string) => {
  const text = JSON.stringify(Object.fromEntries(FIELDS.map((name) => [name, said])));
  const reply: ModelReply = {
    text,
    finishReason: "stop",
    usage: { inputTokens: 1, outputTokens: 1 },
    latencyMs: 1,
  };
  return checkReply(reply, schema, { echoes: { instructions: "", question } });
};

test("[V-hostile] replies of many loops, or of many damaged characters, to a long question are judged in linear time", () => {
  const question = "Ğ".repeat(100_000);
  const loops = Array.from({ length: 300 }, (_, index) => `${index} Ğ`.slice(-3).repeat(6)).join("\n");
  expect(withinCpuMs(500, () => check(loops, question)).ok).toBe(true);
  const damaged = `${question}\uFFFD`;
  expect(withinCpuMs(500, () => check("a\uFFFD".repeat(60_000), damaged)).ok).toBe(true);
  expect(check("a\uFFFD", question)).toMatchObject({ ok: false, rule: expect.any(String) });
});
