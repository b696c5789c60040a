/** One sample message of every kind, for trying out a receiver; nothing in it is real. */
import type { AlertView } from '../alert/alert.ts';
import type { Message } from '../outbox/message.ts';
import { identity } from '../transition/identity.ts';
import type { Kind, Severity, Status } from '../transition/kind.ts';
import type { ContentOf, NoticeDetails, Transition, UpdateDetails } from '../transition/transition.ts';
import { timestamp } from '../transition/transition.ts';
import { HOUR, MINUTE } from './time.ts';

export const SAMPLE_SOURCE = 'test';

type Sample<K extends Kind> = ContentOf<K> & { subject: string; status: Status; severity: Severity };
type Samples = { [K in Kind]: (now: number) => Sample<K> };

const PAGE = { name: 'Example Telecom (test)', url: 'https://status.example.com' };
const TRUNK = { name: 'SIP Trunks Sydney (test)', parent_id: '10', path: ['Voice'] };
const SUBJECT = 'Inbound calls failing on Sydney SIP trunks (test)';
const NOTICE_PAGE = 'https://status.example.com/notices/4711';

function said(state: string | null, content: string, at: number): UpdateDetails {
  return { state, content, created_at: timestamp(at) };
}

function trouble(
  state: string,
  now: number,
  updates: UpdateDetails[],
  own: Partial<NoticeDetails['notice']> = {},
): NoticeDetails {
  return {
    notice: {
      id: '4711',
      type: 'unplanned',
      state,
      timeline_state: 'present',
      subject: SUBJECT,
      url: NOTICE_PAGE,
      begins_at: null,
      ends_at: null,
      began_at: timestamp(now - 72 * MINUTE),
      ended_at: null,
      ...own,
    },
    components: [
      { id: '11', name: 'SIP Trunks Sydney' },
      { id: '12', name: 'Hosted PBX Sydney' },
    ],
    updates,
  };
}

function work(
  state: string,
  now: number,
  own: Partial<NoticeDetails['notice']> = {},
  updates: UpdateDetails[] = [],
): NoticeDetails {
  return {
    notice: {
      id: '4800',
      type: 'planned',
      state,
      timeline_state: state === 'scheduled' ? 'future' : 'present',
      subject: 'Core router replacement in Melbourne (test)',
      url: 'https://status.example.com/notices/4800',
      begins_at: timestamp(now + 24 * HOUR),
      ends_at: timestamp(now + 26 * HOUR),
      began_at: null,
      ended_at: null,
      ...own,
    },
    components: [{ id: '21', name: 'SIP Trunks Melbourne' }],
    updates,
    revision: 0,
  };
}

function windowAround(now: number, from: number, to: number) {
  return { begins_at: timestamp(now + from), ends_at: timestamp(now + to) };
}

const INVESTIGATING = 'We are aware that some inbound calls to Sydney numbers fail. Our engineers are investigating.';
const FOUND = 'A faulty line card has been found. Traffic is being moved to a second path.';
const MOVED = 'Traffic has been moved. Calls are connecting; we keep watching.';
const FIXED = 'The line card has been replaced and all calls connect. We are sorry for the disruption.';

const SAMPLES: Samples = {
  'page.state': () => ({
    subject: 'page',
    status: 'open',
    severity: 'warning',
    from: 'operational',
    to: 'degraded',
    details: { ...PAGE, notice: null },
  }),
  'page.renamed': () => ({
    subject: 'page',
    status: 'info',
    severity: 'info',
    from: 'Example Tel',
    to: PAGE.name,
    details: PAGE,
  }),
  'component.state': () => ({
    subject: 'component/11',
    status: 'open',
    severity: 'warning',
    from: 'operational',
    to: 'degraded',
    details: { ...TRUNK, notice: null },
  }),
  'component.remains': () => ({
    subject: 'component/11',
    status: 'open',
    severity: 'warning',
    from: null,
    to: 'degraded',
    details: { ...TRUNK, notice: { id: '4711', subject: SUBJECT } },
  }),
  'component.added': () => ({
    subject: 'component/13',
    status: 'info',
    severity: 'info',
    from: null,
    to: 'SIP Trunks Perth (test)',
    details: { ...TRUNK, name: 'SIP Trunks Perth (test)', notice: null, state: 'operational' },
  }),
  'component.removed': () => ({
    subject: 'component/13',
    status: 'info',
    severity: 'info',
    from: 'SIP Trunks Perth (test)',
    to: null,
    details: { ...TRUNK, name: 'SIP Trunks Perth (test)', notice: null, state: 'operational' },
  }),
  'component.renamed': () => ({
    subject: 'component/11',
    status: 'info',
    severity: 'info',
    from: 'SIP Sydney',
    to: TRUNK.name,
    details: { ...TRUNK, notice: null },
  }),
  'component.moved': () => ({
    subject: 'component/11',
    status: 'info',
    severity: 'info',
    from: null,
    to: '10',
    details: { ...TRUNK, notice: null },
  }),
  'notice.opened': (now) => ({
    subject: 'notice/4711',
    status: 'open',
    severity: 'critical',
    from: null,
    to: 'investigating',
    details: trouble('investigating', now, [said('investigating', INVESTIGATING, now - 2 * MINUTE)]),
  }),
  'notice.state': (now) => ({
    subject: 'notice/4711',
    status: 'update',
    severity: 'critical',
    from: 'identified',
    to: 'recovering',
    details: trouble('recovering', now, [said('recovering', MOVED, now - 2 * MINUTE)]),
  }),
  'notice.update': (now) => ({
    subject: 'notice/4711',
    status: 'update',
    severity: 'critical',
    from: 'identified',
    to: 'identified',
    details: trouble('identified', now, [said('identified', FOUND, now - 2 * MINUTE)]),
  }),
  'notice.reopened': (now) => ({
    subject: 'notice/4711',
    status: 'open',
    severity: 'critical',
    from: 'resolved',
    to: 'investigating',
    details: trouble('investigating', now, [
      said('investigating', 'Calls are failing again. We are looking into it.', now - 2 * MINUTE),
    ]),
  }),
  'notice.closed': (now) => ({
    subject: 'notice/4711',
    status: 'resolved',
    severity: 'critical',
    from: 'recovering',
    to: 'resolved',
    details: trouble('resolved', now, [said('resolved', FIXED, now - MINUTE)], {
      timeline_state: 'past_recent',
      ended_at: timestamp(now - MINUTE),
    }),
  }),
  'notice.withdrawn': (now) => ({
    subject: 'notice/4711',
    status: 'resolved',
    severity: 'critical',
    from: 'investigating',
    to: null,
    details: trouble('investigating', now, []),
  }),
  'notice.replaced': (now) => ({
    subject: 'notice/4711',
    status: 'update',
    severity: 'critical',
    from: '4700',
    to: '4711',
    details: trouble('identified', now, [said('identified', FOUND, now - 2 * MINUTE)]),
  }),
  'notice.rescheduled': (now) => ({
    subject: 'notice/4800',
    status: 'update',
    severity: 'info',
    from: windowAround(now, 24 * HOUR, 26 * HOUR),
    to: windowAround(now, 48 * HOUR, 50 * HOUR),
    details: { ...work('scheduled', now, windowAround(now, 48 * HOUR, 50 * HOUR)), revision: 1 },
  }),
  'notice.impact': (now) => ({
    subject: 'notice/4711',
    status: 'update',
    severity: 'critical',
    from: ['11'],
    to: ['11', '12'],
    details: trouble('identified', now, []),
  }),
  'notice.subject': (now) => ({
    subject: 'notice/4711',
    status: 'update',
    severity: 'critical',
    from: 'Problems with inbound calls',
    to: SUBJECT,
    details: trouble('identified', now, []),
  }),
  'notice.type': (now) => ({
    subject: 'notice/4711',
    status: 'update',
    severity: 'critical',
    from: 'planned',
    to: 'unplanned',
    details: trouble('investigating', now, []),
  }),
  'notice.edited': (now) => ({
    subject: 'notice/4711',
    status: 'info',
    severity: 'critical',
    from: 'Some calls fail.',
    to: 'Some inbound calls to Sydney numbers fail.',
    details: trouble('identified', now, []),
  }),
  'maintenance.reminder': (now) => ({
    subject: 'notice/4800',
    status: 'info',
    severity: 'info',
    from: null,
    to: 24 * HOUR,
    details: work('scheduled', now),
  }),
  'maintenance.late': (now) => ({
    subject: 'notice/4800',
    status: 'update',
    severity: 'info',
    from: null,
    to: 20 * MINUTE,
    details: work('scheduled', now, windowAround(now, -20 * MINUTE, 100 * MINUTE)),
  }),
  'maintenance.overrun': (now) => ({
    subject: 'notice/4800',
    status: 'update',
    severity: 'warning',
    from: null,
    to: 20 * MINUTE,
    details: work('underway', now, {
      ...windowAround(now, -140 * MINUTE, -20 * MINUTE),
      began_at: timestamp(now - 140 * MINUTE),
    }),
  }),
  'source.baseline': (now) => ({
    subject: 'source',
    status: 'info',
    severity: 'info',
    from: null,
    to: '60 components, 2 notices, 1 open',
    details: {
      page: { ...PAGE, state: 'degraded' },
      components: 60,
      notices: 2,
      open: [
        {
          alert: 'sample',
          number: 1,
          severity: 'critical',
          title: SUBJECT,
          subject: 'notice/4711',
          state: 'identified',
          since: timestamp(now - 72 * MINUTE),
          url: NOTICE_PAGE,
        },
      ],
    },
  }),
  'source.schema': (now) => ({
    subject: 'source',
    status: 'info',
    severity: 'info',
    from: null,
    to: '1 oddity that lasts',
    details: {
      base_url: PAGE.url,
      since: timestamp(now),
      reasons: ['The list of components holds an entry without an id.'],
    },
  }),
  'source.unreachable': (now) => ({
    subject: 'source',
    status: 'open',
    severity: 'warning',
    from: null,
    to: 'no answer within 15 s',
    details: {
      base_url: PAGE.url,
      since: timestamp(now - 3 * MINUTE),
      reasons: ['The list of notices: no answer within 15 s.'],
    },
  }),
  'source.recovered': (now) => ({
    subject: 'source',
    status: 'resolved',
    severity: 'warning',
    from: 'no answer within 15 s',
    to: null,
    details: { base_url: PAGE.url, since: timestamp(now - 72 * MINUTE), reasons: [] },
  }),
  'receiver.failed': (now) => ({
    subject: 'receiver/test-receiver',
    status: 'open',
    severity: 'warning',
    from: null,
    to: 'Slack says that this webhook no longer exists (404 no_service)',
    details: { receiver: 'test-receiver', since: timestamp(now) },
  }),
  'receiver.recovered': (now) => ({
    subject: 'receiver/test-receiver',
    status: 'resolved',
    severity: 'warning',
    from: 'Slack says that this webhook no longer exists (404 no_service)',
    to: null,
    details: { receiver: 'test-receiver', since: timestamp(now - 72 * MINUTE) },
  }),
  'linewatch.state': () => ({
    subject: 'linewatch',
    status: 'info',
    severity: 'warning',
    from: null,
    to: 'its state cannot be written to disk (test)',
    details: {
      reason: 'No space is left on the device. Alerts go out from memory and may be told again after a restart.',
    },
  }),
  'linewatch.config': () => ({
    subject: 'linewatch',
    status: 'info',
    severity: 'info',
    from: null,
    to: 'reloaded (test)',
    details: { reason: 'The new configuration is in use.' },
  }),
};

/** A message of this kind as it would go to `receiver`, marked as a test in its title. */
export function sampleMessage(kind: Kind, receiver: string, now: number): Message {
  const { subject, status, severity, ...content } = SAMPLES[kind](now);
  // The content came from the row of this kind, so the parts fit together.
  const transition = {
    id: identity('sample', kind, now),
    source: SAMPLE_SOURCE,
    subject,
    kind,
    at: now,
    ...content,
  } as Transition;
  return {
    id: identity('sample message', kind, receiver, now),
    receiver,
    alert: sampleAlert(kind, subject, status, severity, now),
    changes: [{ transition, status }],
    reminder: 0,
    promisedAt: now,
    first: status === 'open' || status === 'info',
    replaces: 0,
    unsaved: false,
  };
}

function sampleAlert(kind: Kind, subject: string, status: Status, severity: Severity, now: number): AlertView {
  const info = status === 'info';
  return {
    id: identity('sample alert', kind, now),
    number: info ? null : 1,
    source: SAMPLE_SOURCE,
    severity,
    title: `Test message: ${kind} on ${subject}`,
    startedAt: info || status === 'open' ? now - 2 * MINUTE : now - 72 * MINUTE,
    resolvedAt: status === 'resolved' ? now : null,
    cause: null,
  };
}
