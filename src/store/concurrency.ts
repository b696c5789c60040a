/** Runs at most so many works at once; the others wait in order. Each settles like its work. */
export function limitConcurrency(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting = new Set<() => void>();
  let running = 0;

  /** Hands the place to the next one, so that no later one comes first. */
  function leave(): void {
    for (const enter of waiting) {
      waiting.delete(enter);
      enter();
      return;
    }
    running -= 1;
  }

  return async (work) => {
    if (running < most) running += 1;
    else await new Promise<void>((resolve) => void waiting.add(resolve));
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
