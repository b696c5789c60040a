/** Wording of planned work: reminders, late starts and overruns. */
import type { TransitionOf } from '../../transition/transition.ts';
import { createNoticeWording } from './notice-wording.ts';
import { formatPossessive, PROVIDER } from '../authors.ts';
import { formatNoticeState } from '../state-words.ts';
import { formatElapsed } from '../time.ts';
import {
  createFact,
  cleanTitle,
  toSafeUrl,
  type Setting,
  type WordingTable,
  type WordingContext,
  type Wording,
} from '../wording.ts';
import { MINUTE, SECOND } from '../../text/duration.ts';
import { toReadableLine } from '../../text/markup.ts';
import { joinNames, toOneLine } from '../../text/plain.ts';

/**
 * Milliseconds since the observation; 0 below a minute, so that the counted value is kept unless the message waited or
 * is repeated.
 */
function measureElapsed(at: number, { now }: Setting): number {
  return now - at < MINUTE ? 0 : now - at;
}

export const maintenanceWording: WordingTable<'maintenance.reminder' | 'maintenance.late' | 'maintenance.overrun'> = {
  'maintenance.reminder'({ at, to, details }, setting) {
    const left = (details.milliseconds ?? to * SECOND) - measureElapsed(at, setting);
    const subject = cleanTitle(details.notice.subject);
    return left > 0
      ? createNoticeWording(`Maintenance begins in ${formatElapsed(left)}: ${subject}`, details, setting, {
          facts: createFact('Begins in', formatElapsed(left)),
        })
      : createNoticeWording(`Maintenance was to begin ${formatElapsed(-left)} ago: ${subject}`, details, setting, {});
  },

  'maintenance.late': (transition, setting) =>
    describeOverdue(transition, setting, {
      what: 'Maintenance has not begun',
      lateness: 'late',
      sentence: `The announced start has passed and ${setting.by} has not said that the work has begun.`,
      label: 'Late by',
    }),

  'maintenance.overrun': (transition, setting) =>
    describeOverdue(transition, setting, {
      what: 'Maintenance overruns',
      lateness: 'past its end',
      sentence: `The announced end has passed and ${setting.by} has not said that the work is complete.`,
      label: 'Over by',
    }),
};

function describeOverdue(
  { at, to, details }: TransitionOf<'maintenance.late' | 'maintenance.overrun'>,
  setting: WordingContext,
  { what, lateness, sentence, label }: Readonly<Record<'what' | 'lateness' | 'sentence' | 'label', string>>,
): Wording {
  const over = formatElapsed((details.milliseconds ?? to * SECOND) + measureElapsed(at, setting));
  return createNoticeWording(`${what}: ${cleanTitle(details.notice.subject)} — ${over} ${lateness}`, details, setting, {
    sentences: [sentence],
    facts: [...createFact('State', formatNoticeState(details.notice.state)), ...createFact(label, over)],
  });
}

/** Prefix of an entry that is removed; null for any other. */
export type RemovalReason = 'Cancelled' | 'Withdrawn' | null;

/** `linewatch.` and the instance, as a valid domain of a Message-ID or UID. */
export function toMailDomain(instance: string): string {
  const label = instance
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, '-')
    .replaceAll(/\.{2,}/g, '.');
  const [fit] = /[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?/.exec(label) ?? [];
  return fit === undefined ? 'linewatch' : `linewatch.${fit}`;
}

/** The UID depends on the alert alone, so it stays the same when the work is rescheduled. */
export function toEntryUid(alert: string, instance: string): string {
  return `maintenance-${alert}@${toMailDomain(instance)}`;
}

/** The title of planned work in one line; never empty. */
export function formatWorkTitle(subject: string): string {
  return toReadableLine(subject) || 'Planned maintenance';
}

/** `by`: owner of the work, as `speaker` names it. */
export function formatEntrySummary(subject: string, gone: RemovalReason, by: string): string {
  const known = formatWorkTitle(subject);
  if (gone !== null) return `${gone}: ${known}`;
  return by === PROVIDER ? `Provider maintenance: ${known}` : `Maintenance at ${by}: ${known}`;
}

/** Names at most 50 components, and the address of the notice if it is a safe link. */
export function formatEntryDescription(components: readonly string[], url: string | null, by: string): string {
  const names = components.slice(0, 50).map(toOneLine);
  const affects = names.length === 0 ? [] : [`Affects: ${joinNames(names)}`];
  const link = toSafeUrl(url);
  return [...affects, ...(link === null ? [] : [`${formatPossessive(by, 'notice')}: ${link}`])].join('\n');
}
