/** Messages about a customer's account, by the name of its golden files: a site, a firmware, the provider. */
import {
  createExpectationDetails,
  createOutageDetails,
  createPhoneDetails,
  createMassDetails,
  RICHMOND,
} from '../../src/core/wording/samples/sample-parts.ts';
import type { Message } from '../../src/core/outbox/message.ts';
import type { Kind, Status } from '../../src/core/transition/kind.ts';
import { hashIdentity, type ContentOf } from '../../src/core/transition/transition.ts';
import {
  toTimestamp,
  type DomainDetails,
  type ExpectationDetails,
  type MassDetails,
  type OutageDetails,
  type PhoneDetails,
} from '../../src/core/transition/details.ts';
import type { Story } from './stories.ts';
import { change, HOUR, message, MINUTE, NOW, update, notice } from './messages.ts';

const ACCOUNT = 'head-office';
const NAMES = ['Reception', 'Accounts', 'Workshop', 'Ann <b>Lee</b>', 'Warehouse', 'Café & Bar'];
const FIRMWARE: DomainDetails = { kind: 'firmware', name: 'Yealink SIP-T46S 66.86.0.15', address: null };

function told<K extends Kind>(
  changes: readonly [K, string, ContentOf<K>, Status][],
  alert: Parameters<typeof message>[1],
  rest: Parameters<typeof message>[2] = {},
): Story {
  const all = changes.map(([kind, subject, content, status]) => change(kind, subject, content, status, NOW, ACCOUNT));
  return { message: message(all, { source: ACCOUNT, number: 21, severity: 'warning', ...alert }, rest), now: NOW };
}

const nameOf = (index: number): string | null => NAMES[index] ?? null;

function phone(index: number, more: Partial<PhoneDetails> = {}): PhoneDetails {
  return createPhoneDetails(NOW, { extension: String(101 + index), name: nameOf(index), ...more });
}

function phones(domain: DomainDetails, total: number, down: number, more: Partial<MassDetails> = {}): MassDetails {
  return createMassDetails(NOW, { domain, total, down, nameOf }, more);
}

function outage(down: number, more: Partial<OutageDetails> = {}): OutageDetails {
  return createOutageDetails(NOW, { total: 52, down, nameOf }, { by_site: down === 52 ? BY_SITE : [], ...more });
}

function expectation(more: Partial<ExpectationDetails> = {}): ExpectationDetails {
  return createExpectationDetails(NOW, 'After hours', {
    since: toTimestamp(NOW - 10 * MINUTE),
    // Friday evening, 17:31 in Melbourne.
    switched_at: '2026-03-20T06:31:00.000Z',
    ...more,
  });
}

const BY_SITE = [
  { site: 'Carlton', total: 20, down: 20 },
  { site: '198.51.100.4', total: 18, down: 18 },
  { site: 'Richmond', total: 14, down: 14 },
];

const ONLY_RICHMOND = [
  { site: 'Richmond', total: 14, down: 14 },
  { site: 'Carlton', total: 20, down: 0 },
  { site: '198.51.100.4', total: 14, down: 0, away: 4 },
];

const TEN_AT_RICHMOND = [{ site: 'Richmond', total: 14, down: 10 }, ...ONLY_RICHMOND.slice(1)];

const ALL_OF_RICHMOND = { down: 14, total: 14, elsewhere: { down: 0, total: 38 }, chance: 1e-12 };
const ALL_OF_A_FIRMWARE = { down: 31, total: 31, elsewhere: { down: 0, total: 21 }, chance: 1e-14 };
const ITS_NOTICE = {
  alert: hashIdentity('alert', 12),
  number: 12,
  title: 'Inbound calls failing on Sydney SIP trunks',
  url: 'https://status.example.test/notices/600301',
};

const SITE_ALERT = { severity: 'critical', title: '14 of 14 phones at Richmond offline' } as const;
const SUSPECTED_ALERT = {
  severity: 'critical',
  title: '52 of 52 phones offline: Richmond 14/14, Carlton 20/20, 198.51.100.4 18/18',
} as const;
const TOGGLE_ALERT = { title: '“After hours” is ON instead of OFF', number: 24, startedAt: NOW - 10 * MINUTE } as const;
const CREDENTIALS_ALERT = { title: `Credentials of account “${ACCOUNT}” refused`, number: 25 } as const;
const REFUSED = 'the credentials were refused with 401';
const ADDRESS = 'https://api.example.test';

export const ACCOUNT_STORIES: Readonly<Record<string, () => Story>> = {
  'phone-lost': () =>
    told(
      [
        [
          'registration.lost',
          'registration/104',
          { from: 'registered', to: 'unregistered', details: phone(3) },
          'open',
        ],
      ],
      { title: 'Extension 104 (Ann <b>Lee</b>) offline', startedAt: NOW - 6 * MINUTE },
      { first: true },
    ),
  'phone-restored': () =>
    told(
      [
        [
          'registration.restored',
          'registration/104',
          {
            from: 'unregistered',
            to: 'registered',
            details: phone(3, { phones: { registered: 52, total: 52 }, since: toTimestamp(NOW - 37 * MINUTE) }),
          },
          'resolved',
        ],
      ],
      { title: 'Extension 104 (Ann <b>Lee</b>) offline', startedAt: NOW - 37 * MINUTE, resolvedAt: NOW },
    ),
  'phone-flapping': () =>
    told(
      [['registration.flapping', 'registration/102', { from: null, to: 3, details: phone(1) }, 'open']],
      { title: 'Extension 102 (Accounts) comes and goes', startedAt: NOW - 50 * MINUTE },
      { first: true },
    ),
  'phones-of-a-site-lost': () =>
    told(
      [
        [
          'registration.mass',
          'registrations',
          { from: 14, to: 0, details: phones(RICHMOND, 14, 14, { why: ALL_OF_RICHMOND, by_site: ONLY_RICHMOND }) },
          'open',
        ],
      ],
      { ...SITE_ALERT, startedAt: NOW - 6 * MINUTE },
      { first: true },
    ),
  'site-not-back': () =>
    told(
      [
        [
          'registration.mass',
          'registrations',
          {
            from: 14,
            to: 4,
            details: phones(RICHMOND, 14, 10, { usual: { off: '18:05', back: '08:00' }, by_site: TEN_AT_RICHMOND }),
          },
          'open',
        ],
      ],
      { title: '10 of 14 phones at Richmond not back at their usual time', startedAt: NOW - 15 * HOUR },
      { first: true },
    ),
  'site-moved': () =>
    told(
      [
        [
          'registration.moved',
          'site/Richmond',
          {
            from: '203.0.113.7',
            to: '192.0.2.77',
            details: { ...phones(RICHMOND, 14, 0, { by_site: [] }), moved: 14, of: 14, new: true },
          },
          'info',
        ],
      ],
      { title: 'Phones at Richmond', severity: 'info', number: null },
      { first: true },
    ),
  'site-comes-and-goes': () =>
    told(
      [
        [
          'registration.flapping',
          'registrations',
          {
            from: null,
            to: 3,
            details: {
              ...phones(RICHMOND, 14, 14, { by_site: ONLY_RICHMOND }),
              first_lost: toTimestamp(NOW - 50 * MINUTE),
            },
          },
          'open',
        ],
      ],
      { ...SITE_ALERT, title: 'Phones at Richmond come and go: offline 3 times', startedAt: NOW - 6 * MINUTE },
      { first: true },
    ),
  'phones-of-a-site-back': () =>
    told(
      [
        [
          'registration.restored',
          'registrations',
          { from: 0, to: 14, details: phones(RICHMOND, 14, 0, { since: toTimestamp(NOW - 47 * MINUTE) }) },
          'resolved',
        ],
      ],
      { ...SITE_ALERT, startedAt: NOW - 47 * MINUTE, resolvedAt: NOW },
    ),
  'phones-of-a-firmware-lost': () =>
    told(
      [
        [
          'registration.mass',
          'registrations',
          {
            from: 31,
            to: 0,
            details: phones(FIRMWARE, 31, 31, { sites: ['Richmond', 'Carlton'], why: ALL_OF_A_FIRMWARE }),
          },
          'open',
        ],
      ],
      {
        severity: 'critical',
        title: '31 of 31 phones with Yealink SIP-T46S 66.86.0.15 offline',
        startedAt: NOW - 6 * MINUTE,
      },
      { first: true },
    ),
  'outage-suspected': () => {
    const details = outage(52);
    return told<'registration.mass' | 'outage.suspected'>(
      [
        ['registration.mass', 'registrations', { from: 52, to: 0, details }, 'open'],
        ['outage.suspected', 'registrations', { from: null, to: 52, details }, 'update'],
      ],
      { ...SUSPECTED_ALERT, startedAt: NOW - 6 * MINUTE },
      { first: true },
    );
  },
  'outage-admitted': () => {
    const title = 'Registrations failing';
    const url = 'https://status.example.test/notices/600700';
    const admitted = { alert: 'a22', number: 22, title, url, minutes_later: 21 };
    const since = toTimestamp(NOW - 27 * MINUTE);
    return told(
      [
        [
          'outage.suspected',
          'registrations',
          { from: null, to: 52, details: outage(52, { admitted, since }) },
          'update',
        ],
      ],
      { ...SUSPECTED_ALERT, startedAt: NOW - 27 * MINUTE, cause: 'a22' },
    );
  },
  'outage-residual': () =>
    told(
      [
        [
          'outage.residual',
          'registrations',
          { from: null, to: 1, details: outage(1, { sites: ['Carlton'], since: toTimestamp(NOW - 3 * HOUR) }) },
          'update',
        ],
      ],
      // One phone that stays lost is no mass loss any more.
      { ...SUSPECTED_ALERT, severity: 'warning', startedAt: NOW - 3 * HOUR },
    ),
  'mass-loss-in-the-thread-of-its-notice': (): Story => {
    const details = notice({ state: 'identified' }, { updates: [update('identified', 'A switch failed.', 4)] });
    const changes = [
      change('notice.state', 'notice/600301', { from: 'investigating', to: 'identified', details }, 'update'),
      change(
        'registration.mass',
        'registrations',
        { from: 14, to: 0, details: phones(RICHMOND, 14, 14, { explained_by: ITS_NOTICE }) },
        'update',
        NOW,
        ACCOUNT,
      ),
    ];
    const both: Message = message(changes, { source: ACCOUNT });
    return { message: both, now: NOW };
  },
  'toggle-off-schedule': () =>
    told(
      [['toggle.off_schedule', 'toggle/301', { from: true, to: false, details: expectation() }, 'open']],
      TOGGLE_ALERT,
      { first: true },
    ),
  'toggle-on-schedule': () =>
    told([['toggle.on_schedule', 'toggle/301', { from: false, to: false, details: expectation() }, 'resolved']], {
      ...TOGGLE_ALERT,
      resolvedAt: NOW,
    }),
  'toggle-missing': () =>
    told(
      [
        [
          'toggle.missing',
          'toggle/After hours',
          {
            from: null,
            to: true,
            details: expectation({
              name: null,
              since: null,
              switched_at: null,
              reason: null,
              matches: 2,
              ids: ['301', '305'],
            }),
          },
          'open',
        ],
      ],
      { title: '2 toggles are called “After hours”', number: 26, startedAt: NOW },
      { first: true },
    ),
  'credentials-refused': () =>
    told(
      [
        [
          'source.credentials',
          'source',
          { from: null, to: REFUSED, details: { base_url: ADDRESS, since: toTimestamp(NOW), reasons: [REFUSED] } },
          'open',
        ],
      ],
      { ...CREDENTIALS_ALERT, startedAt: NOW },
      { first: true },
    ),
  'credentials-accepted': () =>
    told(
      [
        [
          'source.accepted',
          'source',
          {
            from: REFUSED,
            to: null,
            details: { base_url: ADDRESS, since: toTimestamp(NOW - 72 * MINUTE), reasons: [] },
          },
          'resolved',
        ],
      ],
      { ...CREDENTIALS_ALERT, startedAt: NOW - 72 * MINUTE, resolvedAt: NOW },
    ),
  'origin-unreachable': (): Story => {
    const why = 'no answer within 15 s';
    const lacks = [{ part: null, code: 'timeout', why }];
    const account = true as const;
    const details = { base_url: ADDRESS, account, since: toTimestamp(NOW - 5 * MINUTE), reasons: [why], lacks };
    const changes = ['acme', 'globex', 'initech'].map((source) =>
      change('source.unreachable', 'source', { from: null, to: why, details }, 'open', NOW, source),
    );
    const title = `3 sources behind ${ADDRESS} are unreachable`;
    const alert = { source: 'initech', number: 29, severity: 'warning', title, startedAt: NOW - 5 * MINUTE } as const;
    const sources = ['acme', 'globex', 'initech'].map((name) => ({ name, isBack: false }));
    return { message: message(changes, alert, { first: true, outage: { origin: ADDRESS, sources } }), now: NOW };
  },
};
