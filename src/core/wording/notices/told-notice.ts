/** Wording of notices that were imported after their end. */
import { latenessOf, type PastNotice } from '../../history/past-notice.ts';
import { span } from '../time.ts';

/** `published 3 h after it began`; null if it was published in time. */
export function latenessText(notice: Pick<PastNotice, 'type' | 'beganAt' | 'endedAt' | 'createdAt'>): string | null {
  const lateness = latenessOf(notice);
  if (lateness.kind === 'in time') return null;
  const than = lateness.kind === 'late' ? 'it began' : 'it was over';
  return `published ${span(lateness.ms)} after ${than}`;
}
