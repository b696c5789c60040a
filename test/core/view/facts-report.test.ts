/** What programs read of an alert: its phase, cause, advice and parts, as functions of what each source has of it. */
import { describe, expect, test } from 'vitest';
import { collectAlertFacts, computePhase } from '../../../src/core/correlation/alert-facts.ts';
import { createAlert } from '../../../src/core/alert/alert.ts';
import type { Part } from '../../../src/core/correlation/other-parts.ts';
import type { NoticeOfAlert } from '../../../src/core/alert/shared-alert.ts';
import { reportFacts } from '../../../src/core/view/story/facts-report.ts';
import { INCIDENT, SITE_LOST } from '../../support/views.ts';

const OPENED = createAlert({ id: 'one', number: 1, source: 'acme', startedAt: 0, now: 0, family: 'phones' });

function part(given: Partial<Part> = {}): Part {
  return { ...OPENED, group: 'loss 1', ...given };
}

function lost(down: number, given: Partial<Part> = {}): Part {
  const sites = [{ site: 'Richmond', offline: down, total: 14 }];
  return part({ phones: { total: 20, down, most: down, sites }, ...given });
}

const PUBLISHED: NoticeOfAlert = {
  state: 'identified',
  by: { source: 'provider' },
  called: 'Example Telecom',
  isPlanned: false,
};

function report(parts: readonly Part[], notice: NoticeOfAlert | null = null, beside: readonly Part[] = []) {
  const customerOf = (source: string): string | null => (source === 'acme' ? 'Acme Pty Ltd' : null);
  return reportFacts(collectAlertFacts(parts, { beside, notice, customerOf }));
}

describe('the phase', () => {
  test.each<[string, Partial<Part>]>([
    ['open', {}],
    ['explained', { explainedBy: 'notice' }],
    ['residual', { residual: true }],
    ['merged', { absorbedBy: 'loss 2' }],
    ['resolved', { status: 'resolved', explainedBy: 'notice' }],
  ])('of a part is %s', (phase, given) => {
    expect(computePhase([part(given)])).toBe(phase);
  });

  test('is that of the losses, one of which may have no explanation', () => {
    const notice = part({ source: 'provider', family: 'notice' });
    expect(computePhase([notice, part({ explainedBy: 'one' })])).toBe('explained');
    expect(computePhase([notice, part({ explainedBy: 'one' }), part()])).toBe('open');
    expect(computePhase([part({ status: 'resolved' }), part({ residual: true })])).toBe('residual');
    expect(computePhase([notice])).toBe('open');
  });
});

test('each source has a part, with the phones of all its losses by site', () => {
  const parts = [
    lost(3),
    lost(2),
    part({ source: 'provider', family: 'notice', hits: { component: [['7', 'SIP']], extension: [], site: [] } }),
  ];
  expect(report(parts).parts).toEqual([
    {
      source: 'acme',
      customer: 'Acme Pty Ltd',
      phase: 'open',
      affected: {
        phones: { total: 20, offline: 5, by_site: [{ site: 'Richmond', offline: 5, total: 14 }] },
        components: [],
        toggles: [],
      },
    },
    { source: 'provider', customer: null, phase: 'open', affected: { phones: null, components: ['SIP'], toggles: [] } },
  ]);
});

test('the cause has its name and its reason, and the advice follows it', () => {
  expect(report([lost(3, { because: SITE_LOST })])).toMatchObject({
    cause: { kind: 'site', name: 'Richmond', why: '8 of 8 at Richmond, 0 of 8 elsewhere' },
    advice: 'Check power, router and internet line at Richmond.',
  });
  expect(report([lost(3, { because: INCIDENT, explainedBy: 'notice' })], PUBLISHED)).toMatchObject({
    phase: 'explained',
    cause: { kind: 'provider', name: 'Example Telecom', why: expect.stringContaining('Inbound calls failing') },
    advice: expect.stringContaining('Nothing to do at your sites.'),
  });
  expect(report([lost(3)])).toMatchObject({ cause: null, advice: expect.stringContaining('Check power and network') });
});

test('work that was planned is called so', () => {
  const work = report([part({ source: 'provider', family: 'notice' })], { ...PUBLISHED, isPlanned: true });
  expect(work).toMatchObject({ cause: { kind: 'planned', name: 'Example Telecom', why: null }, advice: null });
});

test('what became part of another alert says which, and advises nothing', () => {
  const larger = lost(9, { id: 'two', number: 2, group: 'loss 2' });
  const known = report([part({ absorbedBy: 'loss 2' })], null, [part({ absorbedBy: 'loss 2' }), larger]);
  expect(known).toMatchObject({ phase: 'merged', merged_into: 2, cause: null, advice: null });
  expect(report([lost(3)], null, [larger])).toMatchObject({ merged_into: null });
});

test('what is over has no cause any more and nothing to do', () => {
  const over = report([lost(0, { status: 'resolved', because: SITE_LOST })]);
  expect(over).toMatchObject({ phase: 'resolved', cause: null, advice: null });
});
