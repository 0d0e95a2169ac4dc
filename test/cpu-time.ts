/** Processor time of this thread in milliseconds: how long code takes, whatever else the machine and the compiler's threads do. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
