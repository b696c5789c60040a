/** Waiting for something to become true, looked at whenever something happened: no sleeping, no polling. */
export interface WaitingRoom {
  /** Resolves with the first value of `sight` that is not undefined; `what` names it when it never comes. */
  until: <T>(what: string, sight: () => T | undefined) => Promise<T>;
  /** Something happened: everybody who waits looks again. */
  look: () => void;
  /** Nothing will happen any more. */
  close: (why: string) => void;
}

/** Generous, for slow machines; below the time limit of a test, so that what was waited for is named. */
const LONGEST_WAIT_MS = Number(process.env['LINEWATCH_LONGEST_WAIT_MS'] ?? 40_000);

/** `context`: shown where the wait was in vain. */
export function waitingRoom(context: () => string = () => ''): WaitingRoom {
  const waiting = new Set<{ look: () => void; fail: (error: Error) => void }>();
  let closed: string | null = null;

  return {
    async until(what, sight) {
      const seen = sight();
      if (seen !== undefined) return seen;
      if (closed !== null) throw new Error(`Waited for ${what}: ${closed}`);
      const { promise, resolve, reject } = Promise.withResolvers<NonNullable<typeof seen>>();
      const waiter = {
        look(): void {
          const now = sight();
          if (now !== undefined) resolve(now as NonNullable<typeof seen>);
        },
        fail: reject,
      };
      const limit = setTimeout(() => {
        reject(new Error(`Waited ${LONGEST_WAIT_MS} ms in vain for ${what}\n${context()}`));
      }, LONGEST_WAIT_MS);
      waiting.add(waiter);
      try {
        return await promise;
      } finally {
        clearTimeout(limit);
        waiting.delete(waiter);
      }
    },
    look() {
      for (const { look } of waiting) look();
    },
    close(why) {
      closed = why;
      for (const { look, fail } of waiting) {
        look();
        fail(new Error(why));
      }
    },
  };
}
