/** One message of each sort a person receives, by the name of its golden files. */
import type { Message } from '../../src/core/outbox/message.ts';
import { selectNextSending } from '../../src/core/outbox/queue.ts';
import { toTimestamp } from '../../src/core/transition/details.ts';
import * as m from './messages.ts';
import {
  change,
  HOUR,
  message,
  MINUTE,
  notice,
  NOW,
  PAGE_URL,
  queueRules,
  update,
  work,
  WORK_ALERT,
} from './messages.ts';

export interface Story {
  message: Message;
  /** Time of the message. */
  now: number;
}

const SUBJECT = 'Inbound calls failing on Sydney SIP trunks';
const TRUNKS = { name: 'SIP Trunks Sydney', parent_id: '5001', path: ['Voice', 'Hosted Telephony'] };

function told(story: Message, now = NOW): Story {
  return { message: story, now };
}

function digest(): Message {
  const states = ['investigating', 'investigating', 'identified', 'identified', 'recovering'] as const;
  const updates = Array.from({ length: 15 }, (_, index) =>
    update(
      states[Math.floor(index / 3)] ?? null,
      `Update ${index + 1} of 15: ${'our engineers go on with their work on the second path and will report again. '.repeat(1 + (index % 4))}`.trim(),
      79 - index * 5,
    ),
  );
  const details = notice({ state: 'recovering' }, { updates });
  return message([
    change('notice.state', 'notice/600301', { from: 'investigating', to: 'recovering', details }, 'update'),
  ]);
}

function maintenance(state: string, began: number, ended: number | null): ReturnType<typeof work> {
  return work({
    state,
    timeline_state: ended === null ? 'present' : 'past_recent',
    begins_at: toTimestamp(NOW - 2 * HOUR),
    ends_at: toTimestamp(NOW),
    began_at: toTimestamp(began),
    ended_at: toTimestamp(ended),
  });
}

function trouble(to: string, from: string, status: 'open' | 'resolved', more: { notices_unread?: true } = {}): Message {
  const details = { ...TRUNKS, notice: null, ...more };
  return message(
    [change('component.state', 'component/5002', { from, to, details }, status)],
    {
      severity: 'warning',
      title: 'SIP Trunks Sydney degraded',
      number: 13,
      startedAt: NOW - 26 * MINUTE,
      resolvedAt: status === 'resolved' ? NOW : null,
    },
    { first: status === 'open' },
  );
}

function baseline(open: boolean): Message {
  const details = {
    page: { name: 'Example Telecom', state: open ? 'degraded' : 'operational', url: PAGE_URL },
    components: 60,
    notices: open ? 2 : 0,
    open: open
      ? [
          {
            alert: 'a1',
            number: 1,
            severity: 'critical' as const,
            title: SUBJECT,
            subject: 'notice/600301',
            state: 'identified',
            since: toTimestamp(NOW - 72 * MINUTE),
            url: `${PAGE_URL}/notices/600301`,
          },
          {
            alert: 'a2',
            number: 2,
            severity: 'info' as const,
            title: 'Core router replacement in Melbourne',
            subject: 'notice/600400',
            state: 'scheduled',
            since: null,
            ...m.WINDOW,
            url: `${PAGE_URL}/notices/600400`,
          },
          {
            alert: 'a3',
            number: 3,
            severity: 'warning' as const,
            title: 'SMS Gateway degraded',
            subject: 'component/5020',
            state: 'degraded',
            since: null,
            url: null,
          },
        ]
      : [],
  };
  return message(
    [change('source.baseline', 'source', { from: null, to: 'watching', details }, 'info')],
    { number: null, severity: 'info', title: 'Watching Example Telecom', startedAt: NOW },
    { first: true },
  );
}

/** A page with trouble, and after it an account that is all well. */
function baselines(): Message {
  const page = baseline(true);
  const phones = { registered: 20, total: 20 };
  const details = { page: null, components: 0, notices: 0, open: [], account: { phones, toggles: 3 } };
  const account = change('source.baseline', 'source', { from: null, to: 'watching', details }, 'info', NOW, 'acme');
  const of = {
    id: 'acme',
    number: null,
    source: 'acme',
    severity: 'info',
    title: 'Watching acme',
    startedAt: NOW,
  } as const;
  const both = [
    { ...page, alert: { ...page.alert, severity: 'critical' as const } },
    message([account], of, { id: 'acme' }),
  ];
  const sending = selectNextSending(both, queueRules({ sources: ['provider', 'acme'] }));
  const [together] = sending?.messages ?? [];
  if (together === undefined) throw new Error('nothing is due');
  return together;
}

const UNREACHABLE = {
  base_url: PAGE_URL,
  since: toTimestamp(NOW - 4 * MINUTE),
  reasons: ['The list of notices: no answer within 15 s.', 'The page: the connection was refused.'],
};
const SOURCE_ALERT = {
  severity: 'warning',
  title: 'Status page “provider” unreachable',
  number: 15,
  startedAt: NOW - 4 * MINUTE,
} as const;

export const STORIES: Readonly<Record<string, () => Story>> = {
  'notice-opened': () => told(m.opened()),
  'notice-recovering': () => told(m.recovering()),
  'notice-digest-of-15': () => told(digest()),
  'notice-resolved': () => told(m.resolved()),
  'notice-withdrawn': () =>
    told(
      message(
        [
          change(
            'notice.withdrawn',
            'notice/600301',
            { from: 'identified', to: null, details: notice({ state: 'identified' }) },
            'resolved',
          ),
        ],
        { resolvedAt: NOW },
      ),
    ),
  'notice-closed-without-resolve': () =>
    told(
      message(
        [
          change(
            'notice.closed',
            'notice/600301',
            {
              from: 'identified',
              to: 'identified',
              details: notice({ state: 'identified', timeline_state: 'past_recent' }, { without_resolve: true }),
            },
            'resolved',
          ),
        ],
        { resolvedAt: NOW },
      ),
    ),
  'notice-replaced': () =>
    told(
      message([
        change(
          'notice.replaced',
          'notice/600301',
          {
            from: '600299',
            to: '600301',
            details: notice(
              { state: 'identified' },
              { updates: [update('identified', 'A faulty line card has been found.', 3)] },
            ),
          },
          'update',
        ),
      ]),
    ),
  'notice-subject': () =>
    told(
      message([
        change(
          'notice.subject',
          'notice/600301',
          {
            from: SUBJECT,
            to: 'Inbound and outbound calls failing in Sydney',
            details: notice({ subject: 'Inbound and outbound calls failing in Sydney' }),
          },
          'update',
        ),
      ]),
    ),
  'notice-impact': () =>
    told(
      message([
        change(
          'notice.impact',
          'notice/600301',
          { from: ['5001', '5099'], to: ['5001', '5002'], details: notice({ state: 'identified' }) },
          'update',
        ),
      ]),
    ),
  'notice-first-seen-closed': () =>
    told(
      message(
        [
          change(
            'notice.closed',
            'notice/600301',
            {
              from: null,
              to: 'resolved',
              details: notice(
                { state: 'resolved', timeline_state: 'past_recent', ended_at: toTimestamp(NOW - HOUR) },
                { updates: [update('resolved', 'Calls failed for twelve minutes. All is well again.', 60)] },
              ),
            },
            'info',
          ),
        ],
        { number: null, severity: 'info' },
      ),
    ),
  'notice-rescheduled': () => told(m.rescheduled()),
  'maintenance-announced': () => told(m.announced()),
  'maintenance-underway': () =>
    told(
      message(
        [
          change(
            'notice.state',
            'notice/600400',
            { from: 'scheduled', to: 'underway', details: maintenance('underway', NOW - MINUTE, null) },
            'update',
          ),
        ],
        { ...WORK_ALERT, startedAt: NOW - MINUTE },
      ),
    ),
  'maintenance-complete': () =>
    told(
      message(
        [
          change(
            'notice.closed',
            'notice/600400',
            { from: 'underway', to: 'complete', details: maintenance('complete', NOW - 2 * HOUR, NOW) },
            'resolved',
          ),
        ],
        { ...WORK_ALERT, startedAt: NOW - 2 * HOUR, resolvedAt: NOW },
      ),
    ),
  'maintenance-cancelled': () => told(m.cancelled()),
  'maintenance-overrun': () =>
    told(
      message(
        [
          change(
            'maintenance.overrun',
            'notice/600400',
            {
              from: null,
              to: 25 * 60,
              details: { ...maintenance('underway', NOW - 145 * MINUTE, null), milliseconds: 25 * MINUTE },
            },
            'update',
          ),
        ],
        { ...WORK_ALERT, severity: 'warning', startedAt: NOW - 145 * MINUTE },
      ),
    ),
  'maintenance-extended-with-update': () => {
    const details = maintenance('underway', NOW - HOUR, null);
    const longer = { ...details, notice: { ...details.notice, ends_at: toTimestamp(NOW + 2 * HOUR) }, revision: 1 };
    const from = { begins_at: details.notice.begins_at, ends_at: details.notice.ends_at };
    const to = { ...from, ends_at: longer.notice.ends_at };
    const said = {
      ...longer,
      updates: [update('underway', 'A part is missing; it is on its way. We need two more hours.', 1)],
    };
    return told(
      message(
        [
          change('notice.rescheduled', 'notice/600400', { from, to, details: longer }, 'update'),
          change('notice.update', 'notice/600400', { from: 'underway', to: 'underway', details: said }, 'update'),
        ],
        { ...WORK_ALERT, startedAt: NOW - HOUR },
      ),
    );
  },
  'maintenance-withdrawn': () =>
    told(
      message(
        [
          change(
            'notice.withdrawn',
            'notice/600400',
            { from: 'scheduled', to: null, details: work({}, { revision: 1 }) },
            'resolved',
          ),
        ],
        {
          ...WORK_ALERT,
          startedAt: NOW - HOUR,
          resolvedAt: NOW,
        },
      ),
    ),
  'notice-review-after-the-end': () => {
    const review = 'Review: a line card failed and its spare did not take over. We have changed how spares are tested.';
    const details = notice(
      { state: 'resolved', timeline_state: 'past_recent', ended_at: toTimestamp(NOW - 30 * MINUTE) },
      { updates: [update('resolved', review, 2)] },
    );
    return told(
      message([change('notice.update', 'notice/600301', { from: 'resolved', to: 'resolved', details }, 'update')], {
        resolvedAt: NOW - 30 * MINUTE,
      }),
    );
  },
  'component-degraded': () => told(trouble('degraded', 'operational', 'open')),
  'component-degraded-notices-unread': () => told(trouble('degraded', 'operational', 'open', { notices_unread: true })),
  'component-operational': () => told(trouble('operational', 'degraded', 'resolved')),
  'component-remains': () =>
    told(
      message(
        [
          change(
            'component.remains',
            'component/5002',
            { from: null, to: 'degraded', details: { ...TRUNKS, notice: { id: '600301', subject: SUBJECT } } },
            'open',
          ),
        ],
        { severity: 'warning', number: 16, title: 'SIP Trunks Sydney still degraded', startedAt: NOW },
        { first: true },
      ),
    ),
  'page-remains': () =>
    told(
      message(
        [
          change(
            'page.remains',
            'page',
            {
              from: null,
              to: 'degraded',
              details: { name: 'Example Telecom', url: PAGE_URL, notice: { id: '600301', subject: SUBJECT } },
            },
            'open',
          ),
        ],
        {
          severity: 'warning',
          number: 19,
          title: 'Example Telecom degraded after “SIP calls failing” ended',
          startedAt: NOW,
        },
        { first: true },
      ),
    ),
  'components-degraded-together': () =>
    told(
      message(
        ['SIP Trunks Sydney', 'SIP Trunks Perth', 'Fax to Mail', 'SMS Gateway', 'Voicemail'].map((name, index) =>
          change(
            'component.state',
            `component/${index}`,
            { from: 'operational', to: 'degraded', details: { name, parent_id: null, path: [], notice: null } },
            'open',
          ),
        ),
        { severity: 'warning', number: 17, title: 'SIP Trunks Sydney degraded', startedAt: NOW },
        { first: true },
      ),
    ),
  'source-unreachable': () =>
    told(
      message(
        [
          change(
            'source.unreachable',
            'source',
            { from: null, to: 'no answer within 15 s', details: UNREACHABLE },
            'open',
          ),
        ],
        SOURCE_ALERT,
        { first: true },
      ),
    ),
  'source-recovered': () =>
    told(
      message(
        [
          change(
            'source.recovered',
            'source',
            { from: 'no answer within 15 s', to: null, details: { ...UNREACHABLE, reasons: [] } },
            'resolved',
            NOW,
          ),
        ],
        { ...SOURCE_ALERT, startedAt: NOW - 47 * MINUTE, resolvedAt: NOW },
      ),
    ),
  'baseline-with-open-alerts': () => told(baseline(true)),
  'baseline-all-well': () => told(baseline(false)),
  'baseline-of-several': () => told(baselines()),
  'reminder-2': () => {
    const details = notice(
      { state: 'identified' },
      { updates: [update('identified', 'A faulty line card has been found.', 8 * 60)] },
    );
    return told(
      message(
        [
          change(
            'notice.state',
            'notice/600301',
            { from: 'investigating', to: 'identified', details },
            'update',
            NOW - 8 * HOUR,
          ),
        ],
        { startedAt: NOW - 8.2 * HOUR },
        { reminder: 2 },
      ),
    );
  },
  'delayed-and-coalesced': () => {
    const first = m.opened().changes;
    const last = m.recovering().changes;
    const changes = [...first, ...last].map((each, index) => ({
      ...each,
      transition: { ...each.transition, at: NOW + index * 20 * MINUTE },
    }));
    return told(message(changes, {}, { first: true, replaces: 3 }), NOW + 47 * MINUTE);
  },
  'not-saved': () => told({ ...m.opened(), unsaved: true }),
};
