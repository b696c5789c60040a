/** Progress of the import of a page's past notices. */
import type { PastImport } from '../../history/past-import.ts';
import { formatCount } from '../../text/plain.ts';

export interface ImportProgress {
  settled: number;
  total: number;
  /** Its lists are not read to the end: there may be more. */
  listing: boolean;
}

/** Null without a running import. */
export function toImportProgress(state: PastImport | undefined): ImportProgress | null {
  if (state === undefined || state.finishedAt !== null) return null;
  const { settled, total, next } = state;
  return { settled, total, listing: next !== null };
}

/** `reading past notices: 120 of 208`. */
export function formatImportProgress({ settled, total, listing }: ImportProgress): string {
  return `reading past notices: ${listing ? `${formatCount(total, 'notice')} listed so far` : `${settled} of ${total}`}`;
}
