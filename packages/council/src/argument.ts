import type { z } from "zod";
import { problemsOf } from "./problems.ts";

/**
 * For the arguments of exported functions. Throws a `TypeError` that names every problem: a mistake in a program should show where
 * it is made, not as a property of undefined somewhere inside. The value stays as it is, so that it may be of a class.
 */
export function checkArgument(name: string, value: unknown, schema: z.ZodType): void {
  const { error } = schema.safeParse(value);
  if (!error) return;
  throw new TypeError(
    problemsOf(error, schema, value, name)
      .map(({ message }) => message)
      .join("\n"),
  );
}
