/**
 * Builders of samples: details of subjects, changes and messages. The tests use them with names and numbers of their
 * own.
 */
import type { AlertView, Change } from '../../alert/alert.ts';
import type { Message } from '../../outbox/message.ts';
import { hashIdentity, type ContentOf } from '../../transition/transition.ts';
import type { Kind, Status } from '../../transition/kind.ts';
import {
  toTimestamp,
  type DomainDetails,
  type ExpectationDetails,
  type MassDetails,
  type NoticeDetails,
  type OutageDetails,
  type PhoneDetails,
  type UpdateDetails,
} from '../../transition/details.ts';
import { HOUR, MINUTE } from '../../text/duration.ts';

/** Maximum number of phones with names. */
const NAMED = 20;

/** Source, subject and time of a change; `at` in epoch milliseconds. */
interface Happened {
  readonly source: string;
  readonly subject: string;
  readonly status: Status;
  readonly at: number;
}

/** Derives the id from subject, kind and time. */
export function createChange<K extends Kind>(kind: K, content: ContentOf<K>, occasion: Happened): Change {
  const { source, subject, status, at } = occasion;
  const id = hashIdentity(source, subject, kind, at);
  // The content has the type of the kind, which the compiler cannot infer through the generic.
  return { transition: { id, source, subject, kind, at, ...content } as unknown as Change['transition'], status };
}

/** Message as the outbox stores it, due at once; `now` in epoch milliseconds. */
export function createMessage(
  alert: AlertView,
  changes: readonly Change[],
  now: number,
  rest: Partial<Message> & Pick<Message, 'receiver'>,
): Message {
  const ids = changes.map(({ transition }) => transition.id);
  return {
    id: hashIdentity('message', alert.id, ids, rest.receiver, rest.reminder ?? 0),
    alert,
    changes,
    reminder: 0,
    promisedAt: now,
    dueAt: now,
    first: false,
    replaces: 0,
    unsaved: false,
    ...rest,
  };
}

/** `at` in epoch milliseconds. */
export function createUpdateDetails(state: string | null, content: string, at: number): UpdateDetails {
  return { state, content, created_at: toTimestamp(at) };
}

type OwnNotice = Partial<NoticeDetails['notice']> & Pick<NoticeDetails['notice'], 'id' | 'subject' | 'url'>;
type AroundNotice = Partial<NoticeDetails> & Pick<NoticeDetails, 'components'>;

/** Incident that began 72 minutes ago and is being investigated. */
export function createNoticeDetails(now: number, own: OwnNotice, around: AroundNotice): NoticeDetails {
  const { id, subject, url, ...notice } = own;
  const { components, ...more } = around;
  return {
    notice: {
      id,
      type: 'unplanned',
      state: 'investigating',
      timeline_state: 'present',
      subject,
      url,
      begins_at: null,
      ends_at: null,
      began_at: toTimestamp(now - 72 * MINUTE),
      ended_at: null,
      ...notice,
    },
    components,
    updates: [],
    ...more,
  };
}

/** Work announced for two hours of tomorrow. */
export function createWorkDetails(now: number, own: OwnNotice, around: AroundNotice): NoticeDetails {
  const planned = { type: 'planned', state: 'scheduled', timeline_state: 'future', began_at: null };
  return createNoticeDetails(
    now,
    { ...planned, begins_at: toTimestamp(now + 24 * HOUR), ends_at: toTimestamp(now + 26 * HOUR), ...own },
    { revision: 0, ...around },
  );
}

/** Phone in Richmond, lost six minutes ago. */
export function createPhoneDetails(now: number, own: Partial<PhoneDetails> = {}): PhoneDetails {
  return {
    extension: '101',
    name: null,
    device: 'Yealink SIP-T46S 66.86.0.15',
    address: '203.0.113.7',
    site: 'Richmond',
    since: toTimestamp(now - 6 * MINUTE),
    phones: { registered: 51, total: 52 },
    ...own,
  };
}

export const RICHMOND: DomainDetails = { kind: 'site', name: 'Richmond', address: '203.0.113.7' };
const WHOLE_ACCOUNT: DomainDetails = { kind: 'account', name: 'the account', address: null };

interface Phones {
  readonly domain: DomainDetails;
  readonly total: number;
  readonly down: number;
  /** Name of the phone at this index. */
  nameOf(index: number): string | null;
}

/** Phones lost together six minutes ago. */
export function createMassDetails(
  now: number,
  { domain, total, down, nameOf }: Phones,
  own: Partial<MassDetails> = {},
): MassDetails {
  const named = Array.from({ length: Math.min(down, NAMED) }, (_, index) => ({
    extension: String(101 + index),
    name: nameOf(index),
  }));
  return {
    domain,
    total,
    down,
    phones: named,
    more: down - named.length,
    sites: ['Richmond'],
    since: toTimestamp(now - 6 * MINUTE),
    ...own,
  };
}

/** Losses of the whole account while the provider's page shows no trouble. */
export function createOutageDetails(
  now: number,
  phones: Omit<Phones, 'domain'>,
  own: Partial<OutageDetails> & Required<Pick<OutageDetails, 'by_site'>>,
): OutageDetails {
  return {
    ...createMassDetails(
      now,
      { ...phones, domain: WHOLE_ACCOUNT },
      { sites: ['Richmond', 'Carlton', '198.51.100.4'], by_site: own.by_site },
    ),
    page: { source: 'provider', state: 'operational' },
    admitted: null,
    ...own,
  };
}

/** A toggle that should be off while the office is open. */
export function createExpectationDetails(
  now: number,
  name: string,
  own: Partial<ExpectationDetails> = {},
): ExpectationDetails {
  return {
    name,
    expectation: { toggle: name, severity: 'warning' },
    reason: null,
    ids: ['301'],
    expected_during: ['Mon-Fri 08:30-17:30'],
    timezone: 'Australia/Melbourne',
    since: toTimestamp(now - 12 * MINUTE),
    switched_at: toTimestamp(now - 15 * HOUR),
    ...own,
  };
}
