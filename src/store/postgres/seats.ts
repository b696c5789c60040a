/** A queue in front of a pool's connections: waiting for one does not count towards the timeout of a statement. */
export function createSeats(count: number) {
  let waiting: PromiseWithResolvers<void>[] = [];
  let free = count;

  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next.resolve();
  }

  return {
    /**
     * Runs `work` as soon as fewer than `count` others run, in the order of the calls. Rejects as `work` and `refuse` do.
     */
    async use<T>(work: () => Promise<T>): Promise<T> {
      const turn = Promise.withResolvers<void>();
      if (free === 0) waiting.push(turn);
      else {
        free -= 1;
        turn.resolve();
      }
      await turn.promise;
      return await work().finally(leave);
    },
    /** Rejects everything that waits now with this error. */
    refuse(error: unknown) {
      const refused = waiting;
      waiting = [];
      for (const turn of refused) turn.reject(error);
    },
  };
}
