/** Processor time of this thread in milliseconds: how long code takes, whatever else the machine and the compiler's threads do. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Of the whole process, with its other threads. */
export function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const REFERENCE = JSON.stringify(
  Array.from({ length: 20_000 }, (_, id) => ({ id, name: `name ${id}`, list: [1, 2, 3], text: 'x"\\' })),
);
/** A machine that reads and writes it in this time gets no allowance; the limits of the tests are for such a one. */
const REFERENCE_MS = 12;

/**
 * How many times slower the processor is at the moment than limits of processor time assume, at least 1: it may be held back. Others that
 * share the machine do not count: they take no processor time of this thread, and with an allowance for them a defect would pass.
 */
export function slowness(): number {
  return slownessBy(cpuMs);
}

/** The same for a limit of the clock: how much longer everything takes, because others have their turns. */
export function slownessOfClock(): number {
  return slownessBy(() => performance.now());
}

function slownessBy(now: () => number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 5; i++) {
    const started = now();
    JSON.stringify(JSON.parse(REFERENCE));
    least = Math.min(least, now() - started);
  }
  return Math.max(1, least / REFERENCE_MS);
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
    if (took > maxMs * slowness()) throw new Error(`took ${Math.round(took)} ms of processor time`);
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
