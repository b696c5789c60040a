import * as z from 'zod';

/** One of a growing set of words: published as a string. */
export function word<T extends string>(): z.ZodType<T> {
  return z.string() as z.ZodType<string> as z.ZodType<T>;
}
