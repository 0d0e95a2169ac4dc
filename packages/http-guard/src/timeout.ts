/** Settles as `work` does, or as `onTimeout` does if that takes longer. The work itself goes on. */
export async function withTimeout<T>(
  milliseconds: number,
  work: Promise<T>,
  onTimeout: () => T | Promise<T>,
): Promise<T> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, milliseconds);
  try {
    return await Promise.race([work, late.promise.then(onTimeout)]);
  } finally {
    clearTimeout(timer);
  }
}
