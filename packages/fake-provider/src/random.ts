/** Numbers in [0, 1) that depend on the seed and the request's number only: a run can be repeated exactly. */
export function randomFor(seed: number, request: number): () => number {
  let state = (seed ^ Math.imul(request + 1, 0x9e3779b1)) >>> 0;
  // mulberry32, warmed up once so that neighbouring seeds do not start alike
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  next();
  return next;
}

/** A standard normal draw (Box-Muller). */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
