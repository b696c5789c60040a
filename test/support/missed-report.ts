/** A report of missed callers for the command and the page: one caller, who rang twice and left a message. */
import type { MissedReport } from '../../src/core/view/standing/calls-view.ts';

export function missedReport(
  source: string,
  number: string,
  missed: Partial<MissedReport['missed']> = {},
): MissedReport {
  return {
    source,
    missed: {
      since: '2026-03-24T03:03:00.000Z',
      until: '2026-03-24T04:10:00.000Z',
      callers: [
        {
          number,
          times: ['2026-03-24T03:07:00.000Z', '2026-03-24T03:12:00.000Z'],
          called: ['1300555019'],
          left_message: true,
          called_back: false,
        },
      ],
      more: 0,
      total: 3,
      waiting: 1,
      called_back: 0,
      messages: 1,
      withheld: 0,
      misdialled: 0,
      usual: null,
      country: '61',
      ...missed,
    },
    unread: [],
  };
}
