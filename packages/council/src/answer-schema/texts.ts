import {
  explainUnusable,
  type LinearPattern,
  nativePattern,
  re2Pattern,
} from "@mci-ts/primitives/linear-pattern";
import { RE2JS } from "re2js";
import { z } from "zod";
import { type JsonSchema, SchemaError } from "./inline.ts";
import type { Work } from "./work.ts";

/** Why a text does not fit; undefined if it does. */
export type TextCheck = (text: string, work: Work) => string | undefined;

/** Longer texts do not fit a schema with a pattern or a format. */
const MAX_FORMAT_CHARS = 2000;
/** Steps of a pattern in the time of one step of the check. */
const PATTERN_STEPS = 10;

/** Lengths come first: a pattern is tested only on texts that are short enough. Throws `SchemaError` for a pattern that cannot be used. */
export function createTextCheck({ minLength, maxLength, pattern, format }: JsonSchema): TextCheck {
  const compiled = pattern === undefined ? undefined : compilePattern(String(pattern));
  if (typeof compiled === "string")
    throw new SchemaError(
      `has the pattern ${JSON.stringify(String(pattern).slice(0, 60))}, which ${compiled}`,
    );
  const isFormat = format === undefined ? undefined : formatCheck(String(format));
  return (text, work) => {
    if (minLength !== undefined || maxLength !== undefined) {
      work.spend(text.length / 64);
      const length = lengthOf(text);
      if (minLength !== undefined && length < Number(minLength))
        return `must have at least ${minLength} characters`;
      if (maxLength !== undefined && length > Number(maxLength))
        return `must have at most ${maxLength} characters`;
    }
    if ((compiled || isFormat) && text.length > MAX_FORMAT_CHARS)
      return `must have at most ${MAX_FORMAT_CHARS} characters, because it has a pattern or a format`;
    if (compiled) work.spend(1 + compiled.work(text) / PATTERN_STEPS);
    if (compiled && !compiled.test(text)) return `must match the pattern ${String(pattern)}`;
    if (isFormat) work.spend(10 + text.length);
    return isFormat && !isFormat(text) ? `must be of the format ${String(format).slice(0, 100)}` : undefined;
  };
}

/** In code points, as JSON Schema counts. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** A format that is not known is an annotation: anything fits. */
function formatCheck(format: string): (text: string) => boolean {
  const schema = z.fromJSONSchema({ type: "string", format: format as never });
  return (text) => schema.safeParse(text, { jitless: true }).success;
}

/** The pattern in linear time, or why it cannot be: completes "the pattern …". */
export function compilePattern(pattern: string): LinearPattern | string {
  if (pattern.length > MAX_PATTERN_CHARS) return `is longer than ${MAX_PATTERN_CHARS} characters`;
  const compiled = nativePattern(pattern) ?? re2Pattern(pattern, RE2JS);
  return compiled ?? `cannot be checked: ${explainUnusable(pattern).hint}`;
}

const MAX_PATTERN_CHARS = 200;
