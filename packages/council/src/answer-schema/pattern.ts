import {
  explainUnusable,
  type LinearPattern,
  nativePattern,
  re2Pattern,
} from "@mci-ts/primitives/linear-pattern";
import { RE2JS } from "re2js";

/** The pattern in linear time, or why it cannot be: completes "the pattern …". */
export function compilePattern(pattern: string): LinearPattern | string {
  if (pattern.length > MAX_PATTERN_CHARS) return `is longer than ${MAX_PATTERN_CHARS} characters`;
  const compiled = nativePattern(pattern) ?? re2Pattern(pattern, RE2JS);
  return compiled ?? `cannot be checked: ${explainUnusable(pattern).hint}`;
}

const MAX_PATTERN_CHARS = 200;
