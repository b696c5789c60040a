/**
 * A document that some pages of a type lack. After two 404 in a row it counts as absent and is requested only
 * occasionally.
 */
import { ProviderError } from '../provider/errors.ts';

/** A single 404 may come from a lagging cache or a deployment. */
const NOT_FOUND_BELIEVED = 2;
/** An absent document is requested in every n-th sweep. */
const ASKED_AGAIN_EVERY = 10;

/** Null if the page lacks it; throws the error of `ask`. */
export function createOptionalDocument<T>(
  ask: (signal: AbortSignal) => Promise<T>,
): (signal: AbortSignal) => Promise<T | null> {
  let notFound = 0;
  /** A document found once is never considered absent. */
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
