/** Processor time of this thread in milliseconds: how long code takes, whatever else the machine and the compiler's threads do. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Does the work and throws if it takes more processor time than that. The clock is asked first, which is faster: what took less of it
 * took less processor time. Otherwise the work is repeated and measured, so it must be repeatable.
 */
export function withinCpuMs<T>(maxMs: number, work: () => T): T {
  const started = performance.now();
  const outcome = outcomeOf(work);
  if (performance.now() - started > maxMs) {
    const before = cpuMs();
    outcomeOf(work);
    const took = cpuMs() - before;
    if (took > maxMs) throw new Error(`took ${Math.round(took)} ms of processor time`);
  }
  if ("error" in outcome) throw outcome.error;
  return outcome.value;
}

function outcomeOf<T>(work: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}
