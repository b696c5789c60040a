/** Numbers of alerts for people, unique across all sources. */

export type AlertNumbers = ReturnType<typeof createAlertNumbers>;

/** Reserves `count` numbers above `above` and resolves to the first of them. Never rejects. */
export type ReserveNumbers = (count: number, above: number) => Promise<number>;

/** Without `reserve` this process is the only one to assign numbers. */
export function createAlertNumbers(reserve: ReserveNumbers | null = null) {
  let free = 1;
  /** Reserved for the step that is running. */
  let own: number | null = null;

  /** Marks all numbers before `next` as used. */
  function givenBefore(next: number): void {
    free = Math.max(free, next);
  }

  function stepFrom<Out>(first: number, step: () => Out): Out {
    own = first;
    try {
      return step();
    } finally {
      own = null;
    }
  }

  async function reserved<Out extends { nextNumber: number }>(
    step: () => Out,
    count: number,
    reserving: ReserveNumbers,
  ): Promise<Out> {
    const first = await reserving(count, free - 1);
    const out = stepFrom(first, step);
    const taken = out.nextNumber - first;
    // The state of other sources has changed meanwhile, and the step opened more alerts than the reservation covers.
    return taken > count ? await reserved(step, taken, reserving) : out;
  }

  return {
    /** The next free number. */
    get next(): number {
      return own ?? free;
    },
    givenBefore,
    /** Runs the step with numbers that no other source uses; may run it several times. */
    numbered<Out extends { nextNumber: number }>(step: () => Out): Out | Promise<Out> {
      const out = step();
      const count = out.nextNumber - free;
      return reserve === null || count <= 0 ? out : reserved(step, count, reserve);
    },
  };
}
