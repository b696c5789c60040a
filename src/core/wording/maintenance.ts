/** Wording of planned work that draws near, is late, or overruns. */
import { noticeHeadline } from './notice-parts.ts';
import { noticeLabel } from './state.ts';
import { span } from './time.ts';
import { fact, named, type Setting, type Tellers } from './wording.ts';
import { MINUTE, SECOND } from '../text/duration.ts';

/** The transition counts in seconds. */

/**
 * Milliseconds since it was observed: what was counted then is as good, unless the message waited for the morning or
 * repeats what was told hours ago.
 */
function elapsed(at: number, { now }: Setting): number {
  return now - at < MINUTE ? 0 : now - at;
}

export const maintenanceWording: Tellers<'maintenance.reminder' | 'maintenance.late' | 'maintenance.overrun'> = {
  'maintenance.reminder'({ at, to, details }, setting) {
    const left = (details.milliseconds ?? to * SECOND) - elapsed(at, setting);
    const subject = named(details.notice.subject);
    return left > 0
      ? noticeHeadline(`Maintenance begins in ${span(left)}: ${subject}`, details, setting, {
          facts: fact('Begins in', span(left)),
        })
      : noticeHeadline(`Maintenance was to begin ${span(-left)} ago: ${subject}`, details, setting, {});
  },

  'maintenance.late'({ at, to, details }, setting) {
    const over = (details.milliseconds ?? to * SECOND) + elapsed(at, setting);
    return noticeHeadline(
      `Maintenance has not begun: ${named(details.notice.subject)} — ${span(over)} late`,
      details,
      setting,
      {
        sentences: ['The announced start has passed and the provider has not said that the work has begun.'],
        facts: [...fact('State', noticeLabel(details.notice.state)), ...fact('Late by', span(over))],
      },
    );
  },

  'maintenance.overrun'({ at, to, details }, setting) {
    const over = (details.milliseconds ?? to * SECOND) + elapsed(at, setting);
    return noticeHeadline(
      `Maintenance overruns: ${named(details.notice.subject)} — ${span(over)} past its end`,
      details,
      setting,
      {
        sentences: ['The announced end has passed and the provider has not said that the work is complete.'],
        facts: [...fact('State', noticeLabel(details.notice.state)), ...fact('Over by', span(over))],
      },
    );
  },
};
