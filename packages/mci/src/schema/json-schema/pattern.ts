import { type LinearPattern, nativePattern, re2Pattern } from "@mci-ts/primitives/linear-pattern";

/** undefined for a pattern that cannot be used. */
export type CompilePattern = (pattern: string) => LinearPattern | undefined;

/** RE2 is loaded only for patterns that the native engine cannot run in linear time. */
export async function patternCompiler(patterns: Iterable<string>): Promise<CompilePattern> {
  const compiled = new Map<string, LinearPattern | undefined>();
  for (const pattern of patterns) compiled.set(pattern, nativePattern(pattern));
  const re2 = [...compiled.values()].includes(undefined) ? (await import("re2js")).RE2JS : undefined;
  return (pattern) => {
    const found = compiled.get(pattern) ?? nativePattern(pattern) ?? (re2 && re2Pattern(pattern, re2));
    compiled.set(pattern, found);
    return found;
  };
}
