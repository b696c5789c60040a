/** Wording of notices that were imported after their end. */
import { measureLateness, type PastNotice } from '../../history/past-notice.ts';
import { formatElapsed } from '../time.ts';

/** `published 3 h after it began`; null if it was published in time. */
export function formatLateness(notice: Pick<PastNotice, 'type' | 'beganAt' | 'endedAt' | 'createdAt'>): string | null {
  const lateness = measureLateness(notice);
  if (lateness.kind === 'in time') return null;
  const than = lateness.kind === 'late' ? 'it began' : 'it was over';
  return `published ${formatElapsed(lateness.ms)} after ${than}`;
}
