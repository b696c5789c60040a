/** Messages as the outbox would promise them, for tests that render or send: a telephony provider's bad week in March. */
import type { AlertView, Change } from '../../src/core/alert/alert.ts';
import {
  createChange,
  createMessage,
  createNoticeDetails,
  createUpdateDetails,
  createWorkDetails,
} from '../../src/core/wording/samples/sample-parts.ts';
import type { Message } from '../../src/core/outbox/message.ts';
import type { QueueRules } from '../../src/core/outbox/queue.ts';
import { hashIdentity, type ContentOf } from '../../src/core/transition/transition.ts';
import type { Kind, Status } from '../../src/core/transition/kind.ts';
import { toTimestamp, type NoticeDetails, type UpdateDetails } from '../../src/core/transition/details.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Tuesday, 24 March 2026, 14:43 in Melbourne. */
export const NOW = Date.UTC(2026, 2, 24, 3, 43);
export const TIMEZONE = 'Australia/Melbourne';

export const PAGE_URL = 'https://status.example.test';

export function change<K extends Kind>(
  kind: K,
  subject: string,
  content: ContentOf<K>,
  status: Status,
  at = NOW,
  source = 'provider',
): Change {
  return createChange(kind, content, { source, subject, status, at });
}

export function message(
  changes: readonly Change[],
  alert: Partial<AlertView> = {},
  rest: Partial<Message> = {},
): Message {
  const view: AlertView = {
    id: hashIdentity('alert', alert.number ?? 12),
    number: 12,
    source: 'provider',
    severity: 'critical',
    title: 'Inbound calls failing on Sydney SIP trunks',
    startedAt: NOW - 72 * MINUTE,
    resolvedAt: null,
    cause: null,
    ...alert,
  };
  return createMessage(view, changes, NOW, { receiver: 'ops', ...rest });
}

export function update(state: string | null, content: string, minutesAgo: number): UpdateDetails {
  return createUpdateDetails(state, content, NOW - minutesAgo * MINUTE);
}

export function notice(
  own: Partial<NoticeDetails['notice']> = {},
  details: Partial<NoticeDetails> = {},
): NoticeDetails {
  const subject = 'Inbound calls failing on Sydney SIP trunks';
  const components = [
    { id: '5001', name: 'Hosted Telephony' },
    { id: '5002', name: 'SIP Trunks Sydney' },
  ];
  return createNoticeDetails(
    NOW,
    { id: '600301', subject, url: `${PAGE_URL}/notices/600301`, ...own },
    { components, ...details },
  );
}

/** Work in the small hours of Saturday, 28 March, in Melbourne. */
export const WINDOW = {
  begins_at: toTimestamp(Date.UTC(2026, 2, 27, 14)),
  ends_at: toTimestamp(Date.UTC(2026, 2, 27, 16)),
};
/** The same a week later, which is after the end of daylight saving time there. */
export const LATER_WINDOW = {
  begins_at: toTimestamp(Date.UTC(2026, 3, 4, 15)),
  ends_at: toTimestamp(Date.UTC(2026, 3, 4, 17)),
};

export const WORK_ALERT: Partial<AlertView> = {
  number: 14,
  severity: 'info',
  title: 'Core router replacement in Melbourne',
  startedAt: NOW,
};

export function work(own: Partial<NoticeDetails['notice']> = {}, details: Partial<NoticeDetails> = {}): NoticeDetails {
  const subject = 'Core router replacement in Melbourne';
  return createWorkDetails(
    NOW,
    { id: '600400', subject, url: `${PAGE_URL}/notices/600400`, ...WINDOW, ...own },
    { components: [{ id: '5010', name: 'SIP Trunks Melbourne' }], ...details },
  );
}

export const OPENED =
  'We are receiving reports that inbound calls to Sydney numbers fail with a busy tone. Our engineers are looking into it.';

export function opened(): Message {
  const details = notice(
    { began_at: toTimestamp(NOW - 2 * MINUTE) },
    { updates: [update('investigating', OPENED, 2)] },
  );
  return message(
    [change('notice.opened', 'notice/600301', { from: null, to: 'investigating', details }, 'open')],
    { startedAt: NOW - 2 * MINUTE },
    { first: true },
  );
}

export function recovering(): Message {
  const text =
    'Traffic has been moved to the second path and calls connect again. We keep watching before we call it done.';
  const details = notice({ state: 'recovering' }, { updates: [update('recovering', text, 1)] });
  return message([
    change('notice.state', 'notice/600301', { from: 'identified', to: 'recovering', details }, 'update'),
  ]);
}

export function resolved(): Message {
  const text =
    'The faulty line card has been replaced.\n\nAll calls connect. We are sorry for the disruption; a review will follow.';
  const details = notice(
    { state: 'resolved', timeline_state: 'past_recent', ended_at: toTimestamp(NOW - MINUTE) },
    { updates: [update('resolved', text, 1)] },
  );
  return message(
    [change('notice.closed', 'notice/600301', { from: 'recovering', to: 'resolved', details }, 'resolved')],
    {
      resolvedAt: NOW - MINUTE,
    },
  );
}

export function announced(): Message {
  const text =
    'We will replace a core router in our Melbourne data centre. Expect two interruptions of up to five minutes.';
  const details = work({}, { updates: [update('scheduled', text, 5)] });
  return message(
    [change('notice.opened', 'notice/600400', { from: null, to: 'scheduled', details }, 'open')],
    WORK_ALERT,
    { first: true },
  );
}

export function rescheduled(): Message {
  const details = work(LATER_WINDOW, { revision: 1 });
  return message(
    [change('notice.rescheduled', 'notice/600400', { from: WINDOW, to: LATER_WINDOW, details }, 'update')],
    WORK_ALERT,
  );
}

export function cancelled(): Message {
  const details = work(
    { state: 'cancelled', timeline_state: 'past_recent' },
    { revision: 2, updates: [update('cancelled', 'Postponed until further notice.', 1)] },
  );
  return message(
    [change('notice.closed', 'notice/600400', { from: 'scheduled', to: 'cancelled', details }, 'resolved')],
    {
      ...WORK_ALERT,
      startedAt: NOW - DAY,
      resolvedAt: NOW,
    },
  );
}

/** People who get one message at a time, with nothing in the way. */
export function queueRules(own: Partial<QueueRules> = {}): QueueRules {
  return {
    audience: 'people',
    batch: 1,
    now: NOW,
    alerts: Infinity,
    isTurn: () => true,
    isBacklog: () => false,
    bundles: [],
    sources: [],
    isHeld: () => false,
    wasHeld: () => false,
    ...own,
  };
}
