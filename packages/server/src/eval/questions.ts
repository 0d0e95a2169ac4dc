import { readFileSync } from "node:fs";
import { contextSchema, problemsOf } from "@mci-ts/council";
import { z } from "zod";
import { ConfigError } from "../config/config.ts";

const Question = z
  .strictObject({
    id: z.string().min(1).optional(),
    prompt: z.string().min(1),
    context: contextSchema.optional(),
    answer: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
    accept: z.array(z.string()).min(1).optional(),
    schema: z.record(z.string(), z.unknown()).optional(),
    rubric: z.string().min(1).optional(),
  })
  .refine(({ answer, accept, rubric }) => answer !== undefined || accept || rubric, {
    error: "must have an answer, a list of accepted answers, or a rubric",
  });
export type Question = z.output<typeof Question> & { readonly id: string };

/** One question per line. Every mistake is reported with its line. */
export function readQuestions(file: string): readonly Question[] {
  const problems: string[] = [];
  const questions = readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line, i): Question[] => {
      if (line.trim() === "") return [];
      try {
        const value: unknown = JSON.parse(line);
        const { success, data, error } = Question.safeParse(value);
        if (success) return [{ ...data, id: data.id ?? `line ${i + 1}` }];
        for (const { message } of problemsOf(error, Question, value))
          problems.push(`${file}:${i + 1}: ${message}`);
      } catch (error) {
        problems.push(`${file}:${i + 1}: ${(error as Error).message}`);
      }
      return [];
    });
  const seen = new Set<string>();
  for (const { id } of questions) {
    if (seen.has(id)) problems.push(`${file}: the id ${JSON.stringify(id)} is used twice`);
    seen.add(id);
  }
  if (problems.length === 0 && questions.length === 0) problems.push(`${file} has no questions`);
  if (problems.length > 0) throw new ConfigError(problems);
  return questions;
}
