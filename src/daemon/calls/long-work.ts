export type LongWork = ReturnType<typeof createLongWork>;

/**
 * Loading stored calls and reading a long window need much memory for a moment: one account does it at a time, so that
 * the memory of many accounts does not add up.
 */
export function createLongWork() {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    isFree: () => waiting === 0,
    /** Runs after all work that was added before; results and errors are those of `work`. */
    async run<T>(work: () => Promise<T>): Promise<T> {
      waiting += 1;
      const done = last.then(work);
      last = done.catch(() => undefined);
      try {
        return await done;
      } finally {
        waiting -= 1;
      }
    },
  };
}
