import { MAX_TIMER_MS } from "./abort.ts";
import { ToolError } from "./errors.ts";
import { type Compile, type JsonPath, OMITTED, type Scope } from "./template-api.ts";

export type Count = (scope: Scope) => number | undefined;

/** A setting that is a whole number of at least `min`, or a template that gives one. Undefined where it is not set. */
export function compileCount(
  source: number | string | undefined,
  compile: Compile,
  path: JsonPath,
  min: 0 | 1 = 0,
): Count {
  if (typeof source !== "string") return () => source;
  const text = compile.text(source, path);
  return (scope) => {
    const rendered = text.render(scope);
    if (rendered === OMITTED) return undefined;
    const count = Number(rendered.trim() || Number.NaN);
    if (Number.isSafeInteger(count) && count >= min && !/[^\d\s]/.test(rendered)) return count;
    // The value itself may be a secret.
    const message = `${path.at(-1)} must be a whole number of at least ${min}, but '${source}' gave something else.`;
    throw new ToolError("invalid_config", message);
  };
}

/** A `timeout_ms`. Undefined also for 0, which means the default. */
export function compileTimeout(source: number | string | undefined, compile: Compile, path: JsonPath): Count {
  const milliseconds = compileCount(source, compile, [...path, "timeout_ms"]);
  return (scope) => {
    const limit = milliseconds(scope);
    return limit ? Math.min(limit, MAX_TIMER_MS) : undefined;
  };
}
