/** A long response, generated in pieces. */
import { setImmediate } from 'node:timers/promises';

/** Text that ends with a line, in pieces: each is generated on request. */
export interface TextPieces {
  /** Null after the last. Rejects with the error that ended it early. */
  next(): Promise<string | null>;
  /** Requests nothing more. May be called again. */
  close(): Promise<void>;
}

/** Pieces that are in memory already. */
export function createPieces(all: Iterable<string>): TextPieces {
  const rest = all[Symbol.iterator]();
  return {
    async next() {
      // Yields to other work between two pieces.
      await setImmediate();
      const { done, value } = rest.next();
      return done === true ? null : value;
    },
    close: () => Promise.resolve(),
  };
}
