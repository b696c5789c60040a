/**
 * A document that not every page of a type has: where it was never found, twice in a row, it is taken for none and
 * asked for now and then.
 */
import { ProviderError } from '../provider/errors.ts';

/** A cache that lags behind or a server that is being renewed may answer once that there is none: that is no proof. */
const NOT_FOUND_BELIEVED = 2;
/** A document that is taken for none is asked for again at one look in so many. */
const ASKED_AGAIN_EVERY = 10;

/** Null where the page has none; throws what `ask` throws. */
export function createOptionalDocument<T>(
  ask: (signal: AbortSignal) => Promise<T>,
): (signal: AbortSignal) => Promise<T | null> {
  let notFound = 0;
  /** What was there once is not believed to be gone. */
  let wasFound = false;
  return async (signal) => {
    if (notFound >= NOT_FOUND_BELIEVED) {
      notFound += 1;
      if (notFound % ASKED_AGAIN_EVERY !== 0) return null;
    }
    try {
      const found = await ask(signal);
      [notFound, wasFound] = [0, true];
      return found;
    } catch (error) {
      if (wasFound || !isNotFound(error)) throw error;
      notFound += 1;
      if (notFound < NOT_FOUND_BELIEVED) throw error;
      return null;
    }
  };
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ProviderError && error.code === 'not_found';
}
