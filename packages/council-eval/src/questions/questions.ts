import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { compileAnswerSchema, contextSchema, problemsOf } from "@mci-ts/council";
import { z } from "zod";
import { EvaluationError } from "../evaluation-error.ts";

const Expected = z.union([z.string(), z.number(), z.boolean(), z.record(z.string(), z.unknown())]);

const QuestionLine = z
  .strictObject({
    id: z.string().min(1).optional(),
    /** What it asks for, such as "arithmetic": accuracy is also reported for each kind. */
    kind: z.string().min(1).optional(),
    prompt: z.string().min(1),
    context: contextSchema.optional(),
    answer: Expected.optional(),
    accept: z.array(Expected).min(1).optional(),
    schema: z
      .record(z.string(), z.unknown())
      .superRefine((schema, context) => {
        try {
          compileAnswerSchema(schema);
        } catch (error) {
          context.addIssue({ code: "custom", message: (error as Error).message });
        }
      })
      .optional(),
    rubric: z.string().min(1).optional(),
    /** Answers that people judged: the judge of the rubric is measured against them. */
    labels: z
      .array(z.strictObject({ answer: z.string().min(1), correct: z.boolean() }))
      .min(1)
      .optional(),
  })
  .refine(({ labels, rubric }) => labels === undefined || rubric !== undefined, {
    error: "labels need a rubric: they say how well the judge of the rubric judges",
  })
  .refine(({ answer, accept, schema, rubric }) => answer !== undefined || accept || schema || rubric, {
    error: "must have an answer, a list of accepted answers, a schema or a rubric",
  });
export type QuestionLine = z.output<typeof QuestionLine>;

export interface Question extends QuestionLine {
  readonly id: string;
  /** Changes with the question: results of another question under the same id are not used. */
  readonly hash: string;
}

/** One question per line. Every mistake is reported with its line. */
export function readQuestions(file: string): readonly Question[] {
  const problems: string[] = [];
  const lines = readText(file)
    .split("\n")
    .flatMap((line, i): (QuestionLine & { readonly id: string })[] => {
      if (line.trim() === "") return [];
      try {
        const value: unknown = JSON.parse(line);
        const { success, data, error } = QuestionLine.safeParse(value);
        if (success) return [{ ...data, id: data.id ?? `line ${i + 1}` }];
        for (const { message } of problemsOf(error, QuestionLine, value))
          problems.push(`${file}:${i + 1}: ${message}`);
      } catch (error) {
        problems.push(`${file}:${i + 1}: ${(error as Error).message}`);
      }
      return [];
    });
  const seen = new Set<string>();
  for (const { id } of lines) {
    if (seen.has(id)) problems.push(`${file}: the id ${JSON.stringify(id)} is used twice`);
    seen.add(id);
  }
  if (problems.length === 0 && lines.length === 0) problems.push(`${file} has no questions`);
  if (problems.length > 0) throw new EvaluationError(problems);
  return lines.map(withHash);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new EvaluationError([`${file} cannot be read: ${(error as Error).message}`]);
  }
}

export function withHash(question: QuestionLine & { readonly id: string }): Question {
  const hash = createHash("sha256").update(JSON.stringify(question)).digest("base64url").slice(0, 16);
  return { ...question, hash };
}
