/** What a firm reads of one alert that hits several of its customers. */
import { expect, test } from 'vitest';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { createSampleMessage } from '../../../src/core/wording/samples/samples.ts';
import { HOUR } from '../../../src/core/text/duration.ts';
import { NOW } from '../../support/messages.ts';
import { formatCustomersTitle, collectCustomers } from '../../../src/core/wording/phones/many-customers.ts';
import type { Change } from '../../../src/core/alert/alert.ts';
import type { Message } from '../../../src/core/outbox/message.ts';
import type { Transition } from '../../../src/core/transition/transition.ts';
import type { AccountLoss, SharedAlert } from '../../../src/core/alert/shared-alert.ts';

function loss(source: string, down: number, total = 10, most = down): AccountLoss {
  return { source, total, down, most };
}

function title(
  accounts: readonly AccountLoss[],
  given: Partial<SharedAlert> & { customers?: Record<string, string> } = {},
) {
  const { customers = {}, ...rest } = given;
  const setting = { customer: (source: string) => customers[source] ?? null };
  const shared = { phase: 'open', notice: null, accounts, ...rest } as const;
  const many = collectCustomers(shared, setting);
  return many === null ? null : formatCustomersTitle(many);
}

test('the title counts the phones of those that are hit, and of no other', () => {
  expect(title([loss('a', 3), loss('b', 7, 20), loss('c', 0)])).toBe('10 of 30 phones offline at 2 accounts');
  expect(title([loss('a', 3), loss('c', 0)])).toBeNull();
});

test('customers are called so where each account is of another, and counted once', () => {
  const customers = { a: 'Acme', b: 'Acme', c: 'Blue' };
  expect(title([loss('a', 1), loss('b', 2), loss('c', 3)], { customers })).toBe(
    '6 of 30 phones offline at 2 customers',
  );
  // Two accounts of one customer are told apart by their own names.
  expect(title([loss('a', 1), loss('b', 2)], { customers })).toBe('3 of 20 phones offline at 2 accounts');
});

test('who is back is not counted as hit any more, and all of it in the end', () => {
  expect(title([loss('a', 0, 10, 9), loss('b', 2, 10, 8)])).toBe('b: 2 of 10 phones offline');
  expect(title([loss('a', 0, 10, 9), loss('b', 0, 10, 8)])).toBe('All 17 phones at 2 accounts are back');
});

test('the last customer that is hit is named, with its sites', () => {
  const sites = [
    { site: 'Geelong', offline: 5, total: 6 },
    { site: 'Laverton', offline: 1, total: 4 },
  ];
  const customers = { a: 'Acme', b: 'Blue' };
  expect(title([loss('a', 0, 10, 9), { ...loss('b', 6), sites }], { customers, phase: 'residual' })).toBe(
    'Blue: 6 of 10 phones still offline: Geelong 5/6, Laverton 1/4',
  );
  expect(title([loss('a', 1), { ...loss('b', 6), sites }], { customers })).toBe(
    '7 of 20 phones offline at 2 customers',
  );
});

test('what stays lost after the end of its cause is still offline', () => {
  expect(title([loss('a', 1, 10, 9), loss('b', 2)], { phase: 'residual' })).toBe(
    '3 of 20 phones still offline at 2 accounts',
  );
});

test('those that are back are counted in a sentence while others are offline', () => {
  const sentences = (accounts: readonly AccountLoss[]) => {
    const loss = createSampleMessage('registration.restored', 'ops', NOW);
    const seen = { lostSince: null, merged: [], shared: { phase: 'open' as const, notice: null, accounts } };
    const content = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: NOW };
    return composeContent({ ...loss, alert: { ...loss.alert, resolvedAt: null }, seen }, content).sentences;
  };
  const back = [loss('c', 0, 10, 4), loss('d', 0, 10, 3)];
  expect(sentences([loss('a', 2), loss('b', 1), ...back])).toContain('All phones are back at 2 other accounts.');
  expect(sentences([loss('a', 2), loss('b', 1)]).join(' ')).not.toMatch(/back/);
  expect(sentences(back).join(' ')).not.toMatch(/other/);
});

test('a notice that was renamed while the message waited has its name of now, and any other its own', () => {
  const mass = createSampleMessage('registration.mass', 'ops', NOW);
  const explained_by = { alert: 'a-5', number: 5, title: 'Calls failing', url: null, minutes_later: 0 };
  const changes = mass.changes.map((change) =>
    change.transition.kind === 'registration.mass'
      ? { ...change, transition: { ...change.transition, details: { ...change.transition.details, explained_by } } }
      : change,
  );
  const sentence = (id: string): string | undefined => {
    const notice = {
      alert: { id, title: 'Core router down' },
      state: 'investigating',
      by: { source: 'provider' },
      called: 'Example Telecom',
      isPlanned: false,
    };
    const accounts = [loss('a', 3), loss('b', 7)];
    const seen = { lostSince: null, merged: [], shared: { phase: 'open' as const, notice, accounts } };
    const options = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: NOW };
    return composeContent({ ...mass, changes, seen }, options).sentences[0];
  };
  expect(sentence('a-5')).toBe('The provider’s notice explains it: #5 Core router down.');
  expect(sentence('a-6')).toBe('The provider’s notice explains it: #5 Calls failing.');
});

test('a renamed notice has its name of now in each change of a message, also where no customer list replaces it', () => {
  const suspected = createSampleMessage('outage.suspected', 'ops', NOW);
  const changes = suspected.changes.map((change) => {
    const { transition } = change;
    if (transition.kind !== 'outage.suspected') return change;
    const admitted = { alert: 'a-5', number: 5, title: 'Calls failing', url: null, minutes_later: 8 };
    return { ...change, transition: { ...transition, details: { ...transition.details, admitted } } };
  });
  const sentences = (id: string): string[] => {
    const by = { source: 'provider' };
    const notice = {
      alert: { id, title: 'Core router down' },
      state: 'investigating',
      by,
      called: 'Example Telecom',
      isPlanned: false,
    };
    const shared = { phase: 'open' as const, notice, accounts: [loss('a', 3)] };
    const seen = { lostSince: null, merged: [], shared };
    const options = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: NOW };
    return composeContent({ ...suspected, changes, seen }, options).sentences;
  };
  expect(sentences('a-5')).toContain('The trouble is #5 Core router down.');
  expect(sentences('a-6')).toContain('The trouble is #5 Calls failing.');
});

test('phones that came and went are stable in the end, and each loss is counted', () => {
  const flapping = createSampleMessage('registration.flapping', 'ops', NOW);
  const back = [loss('a', 0, 15, 15), loss('b', 0, 15, 15)];
  const headline = (lost: Readonly<Record<string, number>>): string => {
    const changes = flapping.changes.flatMap((change) =>
      Object.entries(lost).map(([source, from]): Change => {
        return { ...change, transition: { ...change.transition, source, from, to: null } as Transition };
      }),
    );
    const shared = { phase: 'open' as const, notice: null, accounts: back, again: { count: 3, since: NOW } };
    return composeContent(
      {
        ...flapping,
        changes,
        alert: { ...flapping.alert, resolvedAt: NOW },
        seen: { lostSince: null, merged: [], shared },
      },
      { timezone: 'UTC', instance: 'hq', externalUrl: null, now: NOW },
    ).headline;
  };
  expect(headline({ a: 5, b: 5 })).toMatch(
    /^All 30 phones at 2 accounts are stable again: online for an hour, lost 5 times before that/,
  );
  expect(headline({ a: 3, b: 5 })).toContain('lost up to 5 times before that');
  // The others came back for good before.
  expect(headline({ b: 5 })).toMatch(/^All 30 phones at 2 accounts are back, for the 3rd time since /);
});

test('a reminder counts the phones of all customers, whichever account or notice it repeats', () => {
  const notice = {
    state: 'investigating',
    by: { source: 'provider' },
    called: 'Example Telecom',
    isPlanned: false,
  };
  const headline = (kind: 'registration.mass' | 'notice.opened', accounts: readonly AccountLoss[]): string => {
    const sample = createSampleMessage(kind, 'ops', NOW);
    const alert = { ...sample.alert, startedAt: NOW - 4 * HOUR, resolvedAt: null };
    const still =
      kind === 'notice.opened' ? { thing: 'Calls failing', state: null } : { thing: '3 of 10', state: 'offline' };
    const seen = { lostSince: NOW - 4 * HOUR, merged: [], shared: { phase: 'open' as const, notice, accounts } };
    const options = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: NOW };
    return composeContent({ ...sample, alert: { ...alert, still }, reminder: 1, seen }, options).headline;
  };
  const lost = [loss('a', 3), loss('b', 7, 20)];
  expect(headline('registration.mass', lost)).toMatch(
    /^Still offline after .*: 10 of 30 phones at 2 accounts — provider: investigating$/,
  );
  expect(headline('notice.opened', lost)).toMatch(
    /^Still open after .*: 10 of 30 phones offline at 2 accounts — provider: investigating$/,
  );
  // All phones are back: the reminder is about the notice.
  expect(headline('notice.opened', [loss('a', 0, 10, 3), loss('b', 0, 20, 7)])).toMatch(
    /^Still open after .*: Calls failing/,
  );
});

test('an end says how long it lasted before what the provider says, and news of a closed loss is about the notice', () => {
  const notice = { state: 'investigating', by: { source: 'provider' }, called: 'Example Telecom', isPlanned: false };
  const shared = { phase: 'open' as const, notice, accounts: [loss('a', 0, 10, 9), loss('b', 0, 10, 8)] };
  const reopened = createSampleMessage('notice.reopened', 'ops', NOW);
  const compose = (sample: Message) => {
    const seen = { lostSince: NOW - 4 * HOUR, merged: [], shared };
    return composeContent({ ...sample, seen }, { timezone: 'UTC', instance: 'hq', externalUrl: null, now: NOW });
  };
  expect(compose(createSampleMessage('registration.restored', 'ops', NOW)).headline).toMatch(
    /^All 17 phones at 2 accounts are back — after .+; provider: investigating, not over yet$/,
  );
  expect(compose(reopened)).toMatchObject({
    title: reopened.alert.title,
    headline: expect.stringMatching(/^Open again: /),
  });
});

test('planned work is named as such, and its messages have the severity of the phones that it costs', () => {
  const compose = (isPlanned: boolean) => {
    const notice = {
      state: 'underway',
      by: { source: 'carrier', vendor: true as const },
      called: 'Carrier',
      isPlanned,
    };
    const accounts = [loss('a', 3), loss('b', 7, 20)];
    const seen = { lostSince: NOW, merged: [], severity: 'critical' as const };
    const update = createSampleMessage('notice.update', 'ops', NOW);
    const alert = { ...update.alert, severity: 'info' as const, resolvedAt: null };
    const page = (source: string) => ({ source, url: `https://${source}.example.com/` });
    const options = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: NOW, page };
    return composeContent(
      { ...update, alert, seen: { ...seen, shared: { phase: 'open', notice, accounts } } },
      options,
    );
  };
  const { headline, severity, kicker } = compose(true);
  expect(headline).toBe('10 of 30 phones offline at 2 accounts — “carrier”: maintenance under way');
  expect([severity, kicker]).toEqual(['critical', expect.stringContaining('Critical')]);
  expect(compose(false).headline).toContain('“carrier”: under way');
});

test('phones of an account that cannot be read count as last seen, and the message says so', () => {
  const sentences = (accounts: readonly AccountLoss[]): string[] => {
    const lost = createSampleMessage('registration.mass', 'ops', NOW);
    const seen = { lostSince: null, merged: [], shared: { phase: 'open' as const, notice: null, accounts } };
    return composeContent({ ...lost, seen }, { timezone: 'UTC', instance: 'hq', externalUrl: null, now: NOW })
      .sentences;
  };
  const unread = { ...loss('kew', 14, 22), unread: true as const };
  const words = 'kew cannot be read now: the phones count as last seen.';
  expect(sentences([loss('a', 3), unread])).toContain(words);
  expect(sentences([loss('a', 3), loss('kew', 14, 22)])).not.toContain(words);
  // Its phones were back before.
  expect(sentences([loss('a', 3), loss('b', 1), { ...unread, down: 0 }])).not.toContain(words);
});
