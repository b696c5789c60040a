/** Sample content of changes on an account; all of it is invented. */
import {
  toTimestamp,
  type ExpectationDetails,
  type MassDetails,
  type OutageDetails,
  type PhoneDetails,
} from '../../transition/details.ts';
import {
  createExpectationDetails,
  createOutageDetails,
  createPhoneDetails,
  createMassDetails,
  RICHMOND,
} from './sample-parts.ts';
import type { PhoneKind } from '../phones/registration.ts';
import type { ToggleKind } from '../phones/toggle.ts';
import type { Samples } from './sample-notices.ts';
import { MINUTE } from '../../text/duration.ts';

function createPhone(now: number, own: Partial<PhoneDetails> = {}): PhoneDetails {
  return createPhoneDetails(now, { name: 'Reception (test)', ...own });
}

const desk = (index: number): string => `Desk ${index + 1}`;
const RICHMOND_IS_DOWN = { total: 14, down: 14, nameOf: desk };
const SITES = [
  { site: 'Richmond', total: 14, down: 14 },
  { site: 'Carlton', total: 20, down: 0 },
  { site: '198.51.100.4', total: 18, down: 0, away: 4 },
];
const NUMBERS = { down: 14, total: 14, elsewhere: { down: 0, total: 38 }, chance: null };

function createMassLoss(now: number): MassDetails {
  return createMassDetails(now, { domain: RICHMOND, ...RICHMOND_IS_DOWN }, { why: NUMBERS, by_site: SITES });
}

function createOutage(now: number): OutageDetails {
  const sites = ['Richmond', 'Carlton', '198.51.100.4'];
  const by_site = sites.map((site, index) => ({ site, total: 20 - 2 * index, down: 18 - 2 * index }));
  return createOutageDetails(now, { total: 54, down: 48, nameOf: desk }, { by_site });
}

function createExpectation(now: number): ExpectationDetails {
  return createExpectationDetails(now, 'After hours (test)');
}

const ADDRESS = 'https://api.example.com';
const REFUSED = 'the credentials were refused with 401';

type AccountKind = PhoneKind | ToggleKind | 'source.credentials' | 'source.accepted';

const lost = { subject: 'registration/101', status: 'open', severity: 'warning' } as const;
const together = { subject: 'registrations', status: 'update', severity: 'critical' } as const;
const toggle = { subject: 'toggle/301', status: 'info', severity: 'info' } as const;

export const accountSamples: Samples<AccountKind> = {
  'source.credentials': (now) => ({
    subject: 'source',
    status: 'open',
    severity: 'warning',
    from: null,
    to: REFUSED,
    details: { base_url: ADDRESS, since: toTimestamp(now), reasons: [REFUSED] },
  }),
  'source.accepted': (now) => ({
    subject: 'source',
    status: 'resolved',
    severity: 'warning',
    from: REFUSED,
    to: null,
    details: { base_url: ADDRESS, since: toTimestamp(now - 72 * MINUTE), reasons: [] },
  }),
  'registration.lost': (now) => ({ ...lost, from: 'registered', to: 'unregistered', details: createPhone(now) }),
  'registration.restored': (now) => ({
    ...lost,
    status: 'resolved',
    from: 'unregistered',
    to: 'registered',
    details: createPhone(now, { phones: { registered: 52, total: 52 } }),
  }),
  'registration.mass': (now) => ({
    ...together,
    status: 'open',
    from: 14,
    to: 0,
    details: createMassLoss(now),
  }),
  'registration.removed': (now) => ({
    ...lost,
    status: 'resolved',
    from: 'unregistered',
    to: null,
    details: createPhone(now),
  }),
  'registration.device': (now) => ({
    ...lost,
    status: 'info',
    severity: 'info',
    from: 'Yealink SIP-T46S 66.85.0.5',
    to: 'Yealink SIP-T46S 66.86.0.15',
    details: createPhone(now, { since: null }),
  }),
  'registration.network': (now) => ({
    ...lost,
    status: 'info',
    severity: 'info',
    from: '203.0.113.0/24',
    to: '198.51.100.0/24',
    details: createPhone(now, { address: '198.51.100.9', site: '198.51.100.9', since: null }),
  }),
  'registration.moved': (now) => ({
    ...together,
    subject: 'site/Richmond',
    status: 'info',
    severity: 'info',
    from: '203.0.113.7',
    to: '192.0.2.77',
    details: {
      ...createMassDetails(now, { domain: RICHMOND, total: 14, down: 0, nameOf: desk }, { by_site: SITES }),
      moved: 14,
      of: 14,
      new: true,
    },
  }),
  'registration.flapping': (now) => ({ ...lost, from: null, to: 3, details: createPhone(now) }),
  'outage.suspected': (now) => ({ ...together, from: null, to: 14, details: createOutage(now) }),
  'outage.residual': (now) => ({ ...together, from: null, to: 14, details: createOutage(now) }),
  'toggle.state': () => ({ ...toggle, from: false, to: true, details: { name: 'After hours (test)' } }),
  'toggle.renamed': () => ({
    ...toggle,
    from: 'After hours',
    to: 'After hours (test)',
    details: { name: 'After hours (test)' },
  }),
  'toggle.added': () => ({
    ...toggle,
    from: null,
    to: 'Public holiday (test)',
    details: { name: 'Public holiday (test)', status: false },
  }),
  'toggle.removed': () => ({
    ...toggle,
    from: 'Public holiday (test)',
    to: null,
    details: { name: 'Public holiday (test)', status: false },
  }),
  'toggle.off_schedule': (now) => ({
    ...toggle,
    status: 'open',
    severity: 'warning',
    from: false,
    to: true,
    details: createExpectation(now),
  }),
  'toggle.on_schedule': (now) => ({
    ...toggle,
    status: 'resolved',
    severity: 'warning',
    from: true,
    to: true,
    details: createExpectation(now),
  }),
  'toggle.missing': (now) => ({
    ...toggle,
    status: 'open',
    severity: 'warning',
    from: null,
    to: true,
    details: { ...createExpectation(now), name: null, reason: 'The account has no toggle of this id or name.' },
  }),
};
