/** Wording of planned work that draws near, is late, or overruns. */
import { noticeHeadline } from './notice-parts.ts';
import { noticeLabel } from './state.ts';
import { span } from './time.ts';
import type { Tellers } from './wording.ts';
import { fact, named } from './wording.ts';

/** The transition counts in seconds. */
const SECOND = 1_000;

export const maintenanceWording: Tellers<'maintenance.reminder' | 'maintenance.late' | 'maintenance.overrun'> = {
  'maintenance.reminder'({ to, details }, setting) {
    const left = details.milliseconds ?? to * SECOND;
    return noticeHeadline(`Maintenance begins in ${span(left)}: ${named(details.notice.subject)}`, details, setting, {
      facts: fact('Begins in', span(left)),
    });
  },

  'maintenance.late'({ to, details }, setting) {
    const over = details.milliseconds ?? to * SECOND;
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

  'maintenance.overrun'({ to, details }, setting) {
    const over = details.milliseconds ?? to * SECOND;
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
