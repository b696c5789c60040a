/**
 * Planned work as an entry of somebody's calendar, apart from how it gets there: a mail and the calendar feed must
 * speak of the same entry in the same words.
 */
import { safeUrl } from './link.ts';
import { oneLine } from '../text/plain.ts';

/** Why the entry goes, in front of its subject; null while it stands. */
export type Gone = 'Cancelled' | 'Withdrawn' | null;

/** `linewatch.` and the instance, fit to stand behind the @ of a Message-ID or UID. */
export function mailDomain(instance: string): string {
  const label = instance
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/^[.-]+|[.-]+$/g, '');
  return label === '' ? 'linewatch' : `linewatch.${label}`;
}

/** The UID stays as long as the alert does, however often the work moves. */
export function entryUid(alert: string, instance: string): string {
  return `maintenance-${alert}@${mailDomain(instance)}`;
}

export function entrySummary(subject: string, gone: Gone): string {
  const known = oneLine(subject) || 'Planned maintenance';
  return gone === null ? `Provider maintenance: ${known}` : `${gone}: ${known}`;
}

export function entryDescription(components: readonly string[], url: string | null): string {
  const names = components.slice(0, 50).map(oneLine);
  const affects = names.length === 0 ? [] : [`Affects: ${names.join(', ')}`];
  const link = safeUrl(url);
  return [...affects, ...(link === null ? [] : [`Provider’s notice: ${link}`])].join('\n');
}
