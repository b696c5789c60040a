/** The thing to do about lost phones: it follows the cause that is named. */
import { describe, expect, test } from 'vitest';
import type { Because } from '../../../src/core/alert/alert.ts';
import { sortOpenAlerts } from '../../../src/core/view/verdict/alert-order.ts';
import type { MaintenanceView, SourceView } from '../../../src/core/view/system-status.ts';
import { computeVerdict } from '../../../src/core/view/verdict/verdict.ts';
import {
  accountView,
  alertView,
  INCIDENT,
  lossPart,
  pageView,
  partView,
  statusView,
  saidBy,
  SITE_LOST,
  VIEWED_AT,
  type LossOf,
} from '../../support/views.ts';

const PROVIDER = pageView('provider', { called: 'Southern Cross Voice', state: 'Degraded', isWell: false });

describe('advice follows the cause', () => {
  const FIRMWARE: Because = {
    ...SITE_LOST,
    domain: { kind: 'firmware', name: 'Yealink SIP-T46S 66.86.0.15', address: null },
  };
  const work = { number: 4, phase: 'under way', endsAt: VIEWED_AT + 43 * 60_000 } as MaintenanceView;
  const calls = pageView('provider', { called: 'Southern Cross Voice' });

  function adviceOf(
    loss: Partial<LossOf>,
    more: { page?: SourceView; state?: string; many?: boolean; planned?: boolean },
  ): string[] {
    const { page = PROVIDER, state = 'investigating', many = false, planned = false } = more;
    const account = accountView('Acme', 20, 9);
    const sources = [page, account, ...(many ? [accountView('Beta', 5)] : [])];
    const notice = alertView(4, [partView('provider')], { said: saidBy('provider', state), severity: 'info' });
    const open = [notice, alertView(2, [lossPart({ account, ...loss })])];
    const { split, todo } = computeVerdict(
      statusView(sources, sortOpenAlerts(open, sources), { maintenance: planned ? [work] : [] }),
    );
    return [split.at(-1) ?? '', ...todo];
  }

  test.each([
    [
      'an outage of the provider that is suspected',
      { because: { kind: 'suspected', scattered: true } },
      { page: calls },
      'By a suspected outage at the provider.',
      'Call the provider: its page says operational. Nothing to do at your sites.',
    ],
    [
      'a page that is not read',
      { because: { kind: 'suspected', scattered: true } },
      { page: { ...calls, unreachable: true } },
      'By a suspected outage at the provider.',
      'Call the provider. Nothing to do at your sites.',
    ],
    [
      'an incident',
      { because: INCIDENT },
      {},
      'With an incident at Southern Cross Voice.',
      'Nothing to do at your sites. Southern Cross Voice knows of the fault. Divert the calls that cannot wait.',
    ],
    [
      'an incident that recovers',
      { because: INCIDENT },
      { state: 'recovering' },
      'With an incident at Southern Cross Voice.',
      'Wait: Southern Cross Voice says that it is recovering. Restart the phones that are still offline after that.',
    ],
    [
      'planned work',
      { because: INCIDENT },
      { planned: true },
      'With planned work at Southern Cross Voice.',
      'Wait for the end of the planned work at Southern Cross Voice, announced until Tue 24 Mar 05:00; then restart the phones that are still offline.',
    ],
    [
      'phones left over',
      { because: { kind: 'residual' } },
      {},
      'Left by an incident at the provider.',
      'Restart the phones that are still offline: the provider says that its incident is over.',
    ],
    [
      'a site',
      { because: SITE_LOST },
      {},
      'By trouble at the site Richmond.',
      'Check power, router and internet line at Richmond.',
    ],
    [
      'a firmware',
      { because: FIRMWARE },
      {},
      'With Yealink SIP-T46S 66.86.0.15.',
      'Check the last firmware, Yealink SIP-T46S 66.86.0.15.',
    ],
    [
      'the account',
      { because: { kind: 'account', sites: 3 } },
      {},
      'All over the account.',
      'Check the credentials of the phones and the payments to the provider, then call the provider.',
    ],
    [
      'nothing that is known',
      {},
      {},
      '9 of 20 at Office, since 04:07.',
      'Check power and network where the phones are; if all is well there, call the provider.',
    ],
  ] as const)('%s, to a firm about its own phones', (_, loss, more, cause, advice) => {
    expect(adviceOf(loss as Partial<LossOf>, more as Parameters<typeof adviceOf>[1])).toEqual([cause, advice]);
  });

  test('to those who look after several customers it names the customer', () => {
    expect(adviceOf({ because: { kind: 'suspected', scattered: false } }, { many: true, page: calls })).toEqual([
      'At Acme since 04:07, by a suspected outage at the provider.',
      'Acme: call the provider: its page says operational. Nothing to do at its sites.',
    ]);
    expect(adviceOf({ because: SITE_LOST }, { many: true })).toEqual([
      'At Acme since 04:07, by trouble at the site Richmond.',
      'Acme: check power, router and internet line at Richmond.',
    ]);
    expect(adviceOf({ because: { kind: 'residual' } }, { many: true })).toContainEqual(
      expect.stringContaining('Acme: restart the phones that are still offline: the provider says'),
    );
  });
});

describe('what cannot be read has advice of its own', () => {
  const office = (more: Partial<SourceView>): SourceView =>
    ({ ...accountView('Otway Transport', 25), ...more }) as SourceView;
  const refused = office({ unread: ['registrations'], isRefused: true });
  const cutOff = pageView('provider', { called: 'Southern Cross Voice', unreachable: true });

  test('a refused key is replaced, whether phones are offline elsewhere or not', () => {
    const newKey = 'Otway Transport: enter a new API key, then reload the configuration.';
    const alert = alertView(8, [partView('otway-transport')], { severity: 'warning', title: 'API key refused (401)' });
    expect(computeVerdict(statusView([PROVIDER, refused], [alert])).todo).toEqual([newKey]);
    const kelso = accountView('Kelso Freight', 16, 8);
    const loss = alertView(6, [lossPart({ account: kelso, because: SITE_LOST })]);
    expect(computeVerdict(statusView([PROVIDER, kelso, refused], [loss, alert])).todo).toEqual([
      'Kelso Freight: check power, router and internet line at Richmond.',
      newKey,
    ]);
  });

  test('with a provider that cannot be reached one calls the main number', () => {
    expect(computeVerdict(statusView([cutOff, accountView('Acme', 5)], [])).todo).toEqual([
      'Southern Cross Voice cannot be reached: call your main number. If that rings, check the internet line of the machine that runs Linewatch.',
    ]);
  });

  test('nothing of it is said of a carrier, of a page that wants no key, and of what can be read', () => {
    const carrier = pageView('yarra', { vendor: true, unreachable: true });
    const closed = pageView('provider', { isRefused: true });
    expect(computeVerdict(statusView([carrier, closed, office({})], [])).todo).toEqual([]);
  });
});

describe('advice on a notice while no phone is known to be lost', () => {
  const notice = alertView(4, [partView('provider')], { said: saidBy('provider', 'investigating') });
  const trouble = alertView(4, [partView('provider')], {});

  test.each([
    ['a notice', notice, [accountView('Acme', 5)], /^Nothing yet: .* knows of it, and your phones are watched\.$/],
    ['a notice', notice, [], /^Try a call: .* knows of it, and no phones are watched here\.$/],
    [
      'no notice',
      trouble,
      [accountView('Acme', 5)],
      /^Nothing yet: no notice explains it, and your phones are watched\.$/,
    ],
    ['no notice', trouble, [], /^Try a call: no notice explains it, and no phones are watched here\.$/],
  ])('with %s claims no watch over phones that is not there', (_, alert, accounts, expected) => {
    const { todo } = computeVerdict(statusView([PROVIDER, ...accounts], [alert]));
    expect(todo).toEqual([expect.stringMatching(expected)]);
  });
});
