/** A sample message of every kind, for trying out a receiver; all of it is invented. */
import type { AlertView } from '../../alert/alert.ts';
import type { Message } from '../../outbox/message.ts';
import { hashIdentity, type ContentOf } from '../../transition/transition.ts';
import type { Kind, Severity, Status } from '../../transition/kind.ts';
import { toTimestamp } from '../../transition/details.ts';
import { accountSamples } from './sample-account.ts';
import { callSamples } from './sample-calls.ts';
import { createChange, createMessage } from './sample-parts.ts';
import { NOTICE_PAGE, noticeSamples, SUBJECT, type Samples } from './sample-notices.ts';
import { MINUTE } from '../../text/duration.ts';

const SAMPLE_SOURCE = 'test';

const PAGE = { name: 'Example Telecom (test)', url: 'https://status.example.com' };
const TRUNK = { name: 'SIP Trunks Sydney (test)', parent_id: '10', path: ['Voice'] };

const page = { subject: 'page', status: 'open', severity: 'warning' } as const;
const component = { subject: 'component/11', status: 'open', severity: 'warning' } as const;
const added = { subject: 'component/13', status: 'info', severity: 'info' } as const;
const source = { subject: 'source', status: 'open', severity: 'warning' } as const;
const receiver = { subject: 'receiver/test-receiver', status: 'open', severity: 'warning' } as const;
const linewatch = { subject: 'linewatch', status: 'info', severity: 'warning' } as const;

const SAMPLES: Samples<Kind> = {
  'page.state': () => ({ ...page, from: 'operational', to: 'degraded', details: { ...PAGE, notice: null } }),
  'page.remains': () => ({
    ...page,
    from: null,
    to: 'degraded',
    details: { ...PAGE, notice: { id: '4711', subject: SUBJECT } },
  }),
  'page.renamed': () => ({
    ...page,
    status: 'info',
    severity: 'info',
    from: 'Example Tel',
    to: PAGE.name,
    details: PAGE,
  }),
  'component.state': () => ({ ...component, from: 'operational', to: 'degraded', details: { ...TRUNK, notice: null } }),
  'component.remains': () => ({
    ...component,
    from: null,
    to: 'degraded',
    details: { ...TRUNK, notice: { id: '4711', subject: SUBJECT } },
  }),
  'component.added': () => ({
    ...added,
    from: null,
    to: 'SIP Trunks Perth (test)',
    details: { ...TRUNK, name: 'SIP Trunks Perth (test)', notice: null, state: 'operational' },
  }),
  'component.removed': () => ({
    ...added,
    from: 'SIP Trunks Perth (test)',
    to: null,
    details: { ...TRUNK, name: 'SIP Trunks Perth (test)', notice: null, state: 'operational' },
  }),
  'component.renamed': () => ({
    ...component,
    status: 'info',
    severity: 'info',
    from: 'SIP Sydney',
    to: TRUNK.name,
    details: { ...TRUNK, notice: null },
  }),
  'component.moved': () => ({
    ...component,
    status: 'info',
    severity: 'info',
    from: null,
    to: '10',
    details: { ...TRUNK, notice: null },
  }),
  ...noticeSamples,
  'source.baseline': (now) => ({
    ...source,
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
          since: toTimestamp(now - 72 * MINUTE),
          url: NOTICE_PAGE,
        },
      ],
    },
  }),
  'source.schema': (now) => ({
    ...source,
    status: 'info',
    severity: 'info',
    from: null,
    to: '1 oddity that lasts',
    details: {
      base_url: PAGE.url,
      since: toTimestamp(now),
      reasons: ['The list of components holds an entry without an id.'],
    },
  }),
  'source.unreachable': (now) => ({
    ...source,
    from: null,
    to: 'no answer within 15 s',
    details: {
      base_url: PAGE.url,
      since: toTimestamp(now - 3 * MINUTE),
      reasons: ['The list of notices: no answer within 15 s.'],
    },
  }),
  'source.recovered': (now) => ({
    ...source,
    status: 'resolved',
    from: 'no answer within 15 s',
    to: null,
    details: { base_url: PAGE.url, since: toTimestamp(now - 72 * MINUTE), reasons: [] },
  }),
  'source.changed': (now) => ({
    ...source,
    from: 'kctbh9vrtdwd',
    to: 'a1b2c3d4e5f6',
    details: {
      base_url: PAGE.url,
      since: toTimestamp(now),
      reasons: [],
      names: { from: PAGE.name, to: 'Somebody Else (test)' },
      back: false,
    },
  }),
  ...accountSamples,
  ...callSamples,
  'alert.acknowledged': () => ({
    subject: 'alert/12',
    status: 'update',
    severity: 'critical',
    from: null,
    to: 'alex (test)',
    details: { number: 12, title: SUBJECT, comment: 'On the phone with the carrier.' },
  }),
  'receiver.failed': (now) => ({
    ...receiver,
    from: null,
    to: 'Slack says that this webhook no longer exists (404 no_service)',
    details: { receiver: 'test-receiver', since: toTimestamp(now) },
  }),
  'receiver.recovered': (now) => ({
    ...receiver,
    status: 'resolved',
    from: 'Slack says that this webhook no longer exists (404 no_service)',
    to: null,
    details: { receiver: 'test-receiver', since: toTimestamp(now - 72 * MINUTE) },
  }),
  'receiver.unproved': (now) => ({
    ...receiver,
    from: null,
    to: toTimestamp(now - 24 * 60 * MINUTE),
    details: { receiver: 'test-receiver', seen: toTimestamp(now - 8 * 24 * 60 * MINUTE) },
  }),
  'receiver.proved': (now) => ({
    ...receiver,
    status: 'resolved',
    from: toTimestamp(now - 30 * 60 * MINUTE),
    to: null,
    details: { receiver: 'test-receiver', seen: toTimestamp(now) },
  }),
  'linewatch.state': () => ({
    ...linewatch,
    from: null,
    to: 'its state cannot be written to disk (test)',
    details: {
      reason: 'No space is left on the device. Alerts go out from memory and may be told again after a restart.',
    },
  }),
  'linewatch.config': () => ({
    ...linewatch,
    severity: 'info',
    from: null,
    to: 'reloaded (test)',
    details: { reason: 'The new configuration is in use.' },
  }),
  'linewatch.leader': () => ({
    ...linewatch,
    from: 'first (test)',
    to: 'second (test)',
    details: { reason: 'first has not been heard of any more: look after it. Nobody watched for about 40 s.' },
  }),
};

/** Message of this kind to `receiver`, marked as a test in its title. */
export function createSampleMessage(kind: Kind, receiver: string, now: number): Message {
  const { subject, status, severity, ...content } = SAMPLES[kind](now);
  const alert = createSampleAlert(kind, subject, status, severity, now);
  // The content comes from the row of this kind, so the types match.
  const change = createChange(kind, content as ContentOf<Kind>, { source: SAMPLE_SOURCE, subject, status, at: now });
  const first = (status === 'open' && kind !== 'notice.reopened') || status === 'info';
  return createMessage(alert, [change], now, { receiver, first });
}

function createSampleAlert(kind: Kind, subject: string, status: Status, severity: Severity, now: number): AlertView {
  const info = status === 'info';
  return {
    id: hashIdentity('sample alert', kind, now),
    number: info ? null : 1,
    source: SAMPLE_SOURCE,
    severity,
    title: `Test message: ${kind} on ${subject}`,
    startedAt: info || status === 'open' ? now - 2 * MINUTE : now - 72 * MINUTE,
    resolvedAt: status === 'resolved' ? now : null,
    cause: null,
  };
}
