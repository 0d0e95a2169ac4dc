/** The 95 % interval of a share by Wilson's formula; stays within 0 and 1, also for few observations. */
export function wilson(hits: number, total: number): [number, number] {
  const z = 1.96;
  const share = hits / total;
  const scale = 1 + z ** 2 / total;
  const centre = (share + z ** 2 / (2 * total)) / scale;
  const spread = (z * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2))) / scale;
  return [Math.max(0, centre - spread), Math.min(1, centre + spread)];
}
