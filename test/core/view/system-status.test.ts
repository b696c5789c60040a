/** How an account stands on the page: what is open, and what a silence for just that would ask for. */
import { expect, test } from 'vitest';
import { createAlert } from '../../../src/core/alert/alert.ts';
import { createFacts } from '../../../src/core/alert/matchers.ts';
import { findSilence } from '../../../src/core/alert/silence.ts';
import type { ToggleExpectation } from '../../../src/core/account/settings.ts';
import { createOwnState } from '../../../src/core/engine/self-source.ts';
import type { SystemStatus } from '../../../src/core/view/system-status.ts';
import { findAlertInStatus } from '../../../src/core/view/build-status.ts';
import { factsWith, statusWith } from '../../support/system-status.ts';
import { MINUTE, type PaperAccount, type PaperTown, phones, SETTINGS, town } from '../account/paper-town.ts';

function status(all: PaperTown, { name, state }: PaperAccount): SystemStatus {
  return statusWith({ now: all.now(), timezone: 'Australia/Melbourne', sources: { [name]: state } });
}

const hours = { ranges: [], except: [], timezone: 'Australia/Melbourne' };
const expectations: ToggleExpectation[] = [{ toggle: '301', hours, grace: 0, severity: 'warning' }];

function watched(): { all: PaperTown; account: PaperAccount } {
  const all = town();
  const account = all.account('acme', phones(100, 8, '203.0.113.7'), { ...SETTINGS, expectations });
  account.toggles = [{ id: '301', name: 'After hours', status: false }];
  account.sweep(0);
  return { all, account };
}

test('one phone and a toggle are muted by themselves, and go on being so', () => {
  const { all, account } = watched();
  account.toggles = [{ id: '301', name: 'After hours', status: true }];
  account.lose(({ extension }) => extension === '101');
  for (let minute = 0; minute < 8; minute += 1) account.sweep(MINUTE);
  const { open, sources } = status(all, account);
  expect(sources[0]?.troubled.map(({ state }) => state)).toEqual(['Offline', 'Off schedule']);
  expect(
    new Map(open.map(({ affected, state, parts: [{ narrower }] }) => [`${affected.join()}: ${state}`, narrower])),
  ).toEqual(
    new Map([
      ['101 (Desk 101): 1 phone offline', { key: 'extension', values: ['101'] }],
      ['After hours: null', { key: 'kind', values: ['toggle.*'] }],
    ]),
  );
  // What the page proposes is what a silence takes: it mutes this and nothing else.
  for (const {
    parts: [{ narrower }],
  } of open) {
    const matchers = { source: ['acme'], [narrower?.key ?? '']: narrower?.values ?? [] };
    const silence = { id: 's', matchers, from: 0, until: Infinity, comment: '', createdAt: 0, expiredAt: null };
    const asked = [
      { kind: 'registration.lost', extensions: ['101'] },
      { kind: 'toggle.off_schedule', extensions: [] },
      { kind: 'registration.lost', extensions: ['102'] },
    ];
    const muted = asked.map(({ kind, extensions }) => {
      const phones = extensions.map((extension) => [extension]);
      const known = createFacts([
        ['source', [['acme']]],
        ['kind', [[kind]]],
        ['extension', phones],
      ]);
      return findSilence([silence], known, all.now()) !== null;
    });
    expect(muted).toEqual(narrower?.key === 'kind' ? [false, true, false] : [true, false, false]);
  }
});

test('a toggle whose status cannot be read is unknown, whatever it was, until it can be read again', () => {
  const { all, account } = watched();
  const shown = (): unknown =>
    status(all, account).sources.flatMap((view) => (view.type === 'account' ? view.toggles : []));
  const is = (value: boolean | null): unknown => [{ id: '301', name: 'After hours', status: value, expected: false }];
  expect(shown()).toEqual(is(false));
  account.toggles = [{ id: '301', name: 'After hours', status: null }];
  account.sweep();
  account.sweep();
  expect(shown()).toEqual(is(null));
  account.toggles = [{ id: '301', name: 'After hours', status: false }];
  account.sweep();
  expect(shown()).toEqual(is(false));
});

test('many phones at once are muted with their account', () => {
  const { all, account } = watched();
  account.lose(({ extension }) => extension !== '101');
  for (let minute = 0; minute < 8; minute += 1) account.sweep(MINUTE);
  expect(status(all, account).open.map(({ state, parts: [{ narrower }] }) => [state, narrower])).toEqual([
    ['7 phones offline', null],
  ]);
  account.bringBack();
  for (let minute = 0; minute < 8; minute += 1) account.sweep(MINUTE);
  const { open, ended } = status(all, account);
  expect([open, ended.map(({ state }) => state)]).toEqual([[], [null]]);
});

test('a loss that has become part of another is one card with it, and as bad as that', () => {
  const all = town();
  const sites = [7, 8, 9].map((site) => phones(site * 100, 20, `203.0.113.${site}`));
  const account = all.account('acme', sites.flat());
  account.sweep(0);
  const rounds = (count: number): void => {
    for (let round = 0; round < count; round += 1) account.sweep(MINUTE);
  };
  const cards = (): unknown[] =>
    status(all, account).open.map(({ number, also, title, severity, state }) => ({
      number,
      also,
      title,
      severity,
      state,
    }));
  account.lose(({ extension }) => Number(extension) < 900);
  rounds(7);
  expect(cards()).toMatchObject([
    { number: 1, also: [], title: '20 of 20 phones at Richmond offline' },
    { number: 2, also: [], title: '20 of 20 phones at Carlton offline' },
  ]);
  account.lose(() => true);
  rounds(7);
  const of = { number: 1, also: [2], severity: 'critical', state: '60 phones offline' };
  expect(cards()).toMatchObject([of]);
  // Nothing is said of a site all of whose phones are back.
  account.bringBack(({ extension }) => extension !== '701');
  rounds(2);
  expect(cards()).toMatchObject([{ number: 1, also: [2], title: 'Extension 701 (Desk 701) offline' }]);
  account.bringBack();
  rounds(2);
  expect(cards()).toEqual([]);
});

test('the story of an alert shows the phones of the open losses that it has caused or taken up, and no others', () => {
  const { all, account } = watched();
  account.lose(({ extension }) => Number(extension) < 103);
  for (let minute = 0; minute < 8; minute += 1) account.sweep(MINUTE);
  const now = all.now();
  const trouble = createAlert({ id: 'trouble', number: 99, source: 'acme', startedAt: now, family: 'notice', now });
  const own = { ...createOwnState(), alerts: [{ ...trouble, group: 'all' }] };
  const shown = (change: object): readonly string[] | undefined => {
    const alerts = account.state.alerts.map((alert) => ({ ...alert, ...change }));
    const facts = factsWith({ now, own, sources: { acme: { ...account.state, alerts } } });
    return findAlertInStatus(facts, 99).story?.affected;
  };
  const phonesOf = ['100 (Desk 100)', '101 (Desk 101)', '102 (Desk 102)'];
  expect(shown({ cause: 'trouble' })).toEqual(phonesOf);
  expect(shown({ absorbedBy: 'all' })).toEqual(phonesOf);
  expect(shown({ cause: null })).toEqual([]);
  expect(shown({ cause: 'trouble', status: 'resolved', resolvedAt: now })).toEqual([]);
  expect(shown({ cause: 'trouble', family: 'toggle' })).toEqual([]);
});

test('sites that were renamed in the configuration have their new names at the next look', () => {
  const { all, account } = watched();
  const facts = factsWith({ now: all.now(), timezone: 'UTC', sources: { acme: account.state } });
  const sitesNamed = (sites: Readonly<Record<string, string>>): unknown => {
    const { status: shown } = findAlertInStatus(
      { ...facts, sources: facts.sources.map((source) => ({ ...source, sites })) },
      1,
    );
    const [view] = shown.sources;
    return view?.type === 'account' ? view.phones?.sites.map(({ site }) => site) : null;
  };
  const [first, second] = [{ '203.0.113.7': 'Richmond' }, { '203.0.113.7': 'Carlton' }];
  expect([first, second, first].map(sitesNamed)).toEqual([['Richmond'], ['Carlton'], ['Richmond']]);
});
