/** A silence, an override and a route for a part: what lies within it, what hits more, and what only touches it. */
import { describe, expect, test } from 'vitest';
import { collectFacts } from '../../../src/core/alert/matchers.ts';
import { type Silence, findSilence } from '../../../src/core/alert/silence.ts';
import type { Route } from '../../../src/core/alert/route.ts';
import { findAddressees } from '../../../src/core/outbox/routing.ts';
import { type Message, listMessages } from '../../../src/core/outbox/message.ts';
import { type PaperAccount, phones, SETTINGS, town } from '../account/paper-town.ts';
import { component, desk, type Desk, MINUTE, notice, watchingDesk } from '../../support/builders.ts';
import { routingTo } from '../../support/routing.ts';
import { everyone } from '../../support/running-daemon.ts';

function silence(matchers: Silence['matchers']): Silence {
  return { id: 's', matchers, from: 0, until: Infinity, comment: '', createdAt: 0, expiredAt: null };
}

function isMuted({ alert, changes }: Message, matchers: Silence['matchers']): boolean {
  return findSilence([silence(matchers)], collectFacts(alert, changes, { customer: 'acme' }), 1) !== null;
}

/** Fourteen phones at each of three sites, and those of `lost` go. */
function lose(lost: (extension: string) => boolean): { account: PaperAccount; said: () => Message[] } {
  const all = town();
  const account = all.account(
    'acme',
    [...phones(100, 14, '203.0.113.7'), ...phones(200, 14, '203.0.113.8'), ...phones(300, 14, '198.51.100.3')],
    SETTINGS,
  );
  account.sweep(0);
  all.sent.length = 0;
  account.lose(({ extension }) => lost(extension));
  for (let minute = 0; minute < 8; minute += 1) account.sweep(MINUTE);
  return { account, said: () => all.people() };
}

describe('phones', () => {
  test.each([
    [{ site: ['Richmond'] }],
    [{ extension: ['100'] }],
    [{ site: ['203.0.113.7'] }],
    [{ extension: ['1*', '2*'] }],
  ])('a silence for %j does not mute the loss of three sites', (matchers) => {
    const { said } = lose(() => true);
    expect(said()).not.toEqual([]);
    for (const message of said()) expect(isMuted(message, matchers)).toBe(false);
  });

  test.each([
    [{ site: ['Richmond', 'carlton', 'GEE*'] }],
    [{ extension: ['1*', '2*', '3*'] }],
    [{ customer: ['acme'] }],
    [{ extension: ['*'] }],
  ])('one for %j, within which they all lie, does', (matchers) => {
    const { said } = lose(() => true);
    for (const message of said()) expect(isMuted(message, matchers)).toBe(true);
  });

  test.each([[{ site: ['Richmond'] }], [{ site: ['203.0.113.7'] }], [{ extension: ['1*'] }]])(
    'the loss of one site is muted by %j, its end too',
    (matchers) => {
      const { account, said } = lose((extension) => extension.startsWith('1'));
      account.bringBack();
      account.sweep(MINUTE);
      expect(said().at(-1)?.alert.resolvedAt).not.toBeNull();
      for (const message of said()) expect(isMuted(message, matchers)).toBe(true);
    },
  );

  test('what comes back of a loss of three sites is not muted because only one is left', () => {
    const { account, said } = lose(() => true);
    account.bringBack(({ extension }) => !extension.startsWith('1'));
    account.sweep(MINUTE);
    account.sweep(MINUTE);
    account.bringBack();
    account.sweep(MINUTE);
    expect(said().length).toBeGreaterThan(2);
    for (const message of said()) expect(isMuted(message, { site: ['Richmond'] })).toBe(false);
  });
});

describe('components', () => {
  const names = [
    component('1', { name: 'Trunks' }),
    component('2', { name: 'SMS' }),
    component('3', { name: 'SMS out', parentId: '2' }),
  ];
  const hit = (ids: readonly string[]): { components: { id: string; name: string }[] } => ({
    components: names.filter(({ id }) => ids.includes(id)).map(({ id, name }) => ({ id, name })),
  });
  const said = ({ promised }: Desk): Message[] =>
    promised.flatMap(listMessages).filter(({ receiver }) => receiver === 'people');

  test('a notice that lists more than the silence names goes out, whatever its later updates are about', () => {
    const page = watchingDesk({ components: names });
    const both = notice('7', hit(['1', '2']));
    page.look({ notices: [both], components: names.map((each) => ({ ...each, state: 'degraded' })) });
    expect(said(page).map((message) => isMuted(message, { component: ['SMS*'] }))).toEqual([false]);
    expect(said(page).map((message) => isMuted(message, { component: ['SMS*', 'trunks'] }))).toEqual([true]);
  });

  test('a notice within what the silence names is muted with everything it spreads to', () => {
    const page = watchingDesk({ components: names });
    page.look({
      notices: [notice('7', hit(['3']))],
      components: names.map((each) => (each.id === '1' ? each : { ...each, state: 'degraded' })),
    });
    expect(said(page).map((message) => isMuted(message, { component: ['SMS out'] }))).toEqual([true]);
    page.look({
      notices: [notice('7', { ...hit(['3']), state: 'resolved', timeline: 'past_recent' })],
      components: names,
    });
    expect(said(page).map((message) => isMuted(message, { component: ['SMS out'] }))).toEqual([true]);
  });

  test('trouble without a notice: a part of what is named lies within it, another component does not', () => {
    const page = watchingDesk({ components: names });
    const down = (ids: readonly string[]) =>
      names.map((each) => (ids.includes(each.id) ? { ...each, state: 'degraded' } : each));
    page.look({ components: down(['2', '3']) });
    expect(said(page).map((message) => isMuted(message, { component: ['SMS out'] }))).toEqual([true]);
    expect(said(page).map((message) => isMuted(message, { component: ['SMS'] }))).toEqual([true]);
    const other = watchingDesk({ components: names });
    other.look({ components: down(['1', '2']) });
    expect(said(other).map((message) => isMuted(message, { component: ['SMS'] }))).toEqual([false]);
  });

  test('an override for a part speaks for what lies within it alone, from the first summary on', () => {
    const overrides = [{ matchers: { component: ['sms*'] }, severity: 'info' as const }];
    const severities = [['2'], ['1', '2']].map((ids) => {
      const page = desk({ overrides });
      page.look({ components: names, notices: [notice('7', hit(ids))] });
      return page.state.alerts.map(({ severity }) => severity);
    });
    expect(severities).toEqual([['info'], ['critical']]);
  });
});

describe('a route for a part', () => {
  const child = (matchers: Route['matchers'], receivers: string[]): Route => ({ ...everyone(receivers), matchers });
  const root: Route = {
    ...everyone(['all']),
    routes: [child({ site: ['Richmond'] }, ['richmond']), child({ site: ['Carlton'] }, ['carlton'])],
  };
  const routing = { ...routingTo(['all', 'richmond', 'carlton']), root };
  const told = ({ alert, changes }: Message): string[] =>
    findAddressees(routing, alert, changes, []).map(({ receiver }) => receiver);

  test('hears of everything that touches it and takes it from nobody', () => {
    const { said } = lose(() => true);
    expect(said().slice(0, 1).map(told)).toEqual([['richmond', 'carlton', 'all']]);
  });

  test('takes what lies within it', () => {
    const { said } = lose((extension) => extension.startsWith('1'));
    expect(said().slice(0, 1).map(told)).toEqual([['richmond']]);
  });
});

test('names of the language are names like any other: a silence that was kept with one mutes nothing and stops nobody', () => {
  const { said } = lose((extension) => extension === '100');
  for (const key of ['constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
    for (const message of said()) expect(isMuted(message, { [key]: ['x'] })).toBe(false);
  }
  for (const message of said()) expect(isMuted(message, JSON.parse('{"__proto__": ["x"]}'))).toBe(false);
});
