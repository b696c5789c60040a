/** A long answer, made piece by piece. */
import { setImmediate } from 'node:timers/promises';

/** Text that ends with a line, piece by piece: each is made when it is asked for. */
export interface Pieces {
  /** Null after the last. Rejects with what ended it before. */
  next(): Promise<string | null>;
  /** Nothing more is asked for. May be called again. */
  close(): Promise<void>;
}

/** What is in memory already. */
export function piecesOf(all: Iterable<string>): Pieces {
  const rest = all[Symbol.iterator]();
  return {
    async next() {
      // Others have their turn between two pieces.
      await setImmediate();
      const { done, value } = rest.next();
      return done === true ? null : value;
    },
    close: () => Promise.resolve(),
  };
}
