/** The numbers of alerts, by which people know them: no two sources give the same one. */

export interface AlertNumbers {
  /** The next one free. */
  readonly next: number;
  /** All before `next` have been given. */
  givenBefore(next: number): void;
  /** What the step comes to, with numbers that nobody else gives; it may be asked for several times. */
  numbered<Out extends { nextNumber: number }>(step: () => Out): Out | Promise<Out>;
}

/** So many numbers that nobody else gives, all above another; the first of them. Never rejects. */
export type ReserveNumbers = (count: number, above: number) => Promise<number>;

/** Without `reserve` nobody else gives any. */
export function createAlertNumbers(reserve: ReserveNumbers | null = null): AlertNumbers {
  let free = 1;
  /** Reserved for the step that is being taken. */
  let own: number | null = null;

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
    // What is known beside it has changed meanwhile, and more alerts have opened.
    return taken > count ? await reserved(step, taken, reserving) : out;
  }

  return {
    get next() {
      return own ?? free;
    },
    givenBefore,
    numbered(step) {
      const out = step();
      const count = out.nextNumber - free;
      return reserve === null || count <= 0 ? out : reserved(step, count, reserve);
    },
  };
}
