/**
 * Reports an env value and, if it is an object or array, every string in it. `seen` holds objects that were reported
 * already, so that a loop does not report them in each iteration (and circular references end).
 */
export function reportSecrets(value: unknown, onEnv: (value: unknown) => void, seen: Set<unknown>): void {
  if (seen.has(value)) return;
  onEnv(value);
  const pending: unknown[] = typeof value === "object" ? [value] : [];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === "string") onEnv(next);
    else if (typeof next === "object" && next !== null && !seen.has(next)) {
      seen.add(next);
      for (const item of Object.values(next)) pending.push(item);
    }
  }
}

/** The variables that a template may read; `allowList` undefined: all. */
export function allowedEnv(
  env: Readonly<Record<string, unknown>>,
  allowList: ReadonlySet<string> | undefined,
): Readonly<Record<string, unknown>> {
  if (allowList === undefined) return env;
  const names = [...allowList].filter((name) => Object.hasOwn(env, name));
  return Object.fromEntries(names.map((name) => [name, env[name]]));
}
