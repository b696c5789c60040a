import { memoizeText } from './memo.ts';

/** Memoised: a format takes longer than the rest of a request. The platform has some 600 zones. */
export const isTimeZone = memoizeText((name) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    // The platform reports an unknown zone only by throwing.
    return false;
  }
}, 1_000);
