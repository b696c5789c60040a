/** Losses that are told with another alert from here on, as their reader reads of that. */
import { expect, test } from 'vitest';
import type { Change } from '../../../src/core/alert/alert.ts';
import type { AccountLoss, SharedAlert } from '../../../src/core/alert/shared-alert.ts';
import type { Message } from '../../../src/core/outbox/message.ts';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { createSampleMessage } from '../../../src/core/wording/samples/samples.ts';

const NOW = Date.parse('2026-03-24T03:00:00.000Z');
const ALERT = createSampleMessage('registration.mass', 'ops', NOW).alert;

function changeOf(kind: 'outage.suspected' | 'registration.lost' | 'registration.flapping', source: string): Change {
  const [change] = createSampleMessage(kind, 'ops', NOW).changes;
  if (change === undefined) throw new RangeError('a sample has a change');
  return { status: 'update', transition: { ...change.transition, source } };
}

/** So many phones of a source go on in an alert. */
function mergeOf(source: string, down: number, into = 2): Change {
  const { transition, status } = changeOf('outage.suspected', source);
  if (transition.kind !== 'outage.suspected') throw new RangeError('a merge is a suspicion');
  const details = { ...transition.details, down, total: 10, goes_on_in: { alert: 'larger', number: into } };
  return { status, transition: { ...transition, details } };
}

/** As a firm reads it whose customers had these losses in the alert. */
function read(changes: Change[], accounts: AccountLoss[] = [], more: Partial<SharedAlert> = {}) {
  const shared = accounts.length === 0 ? null : { phase: 'open' as const, notice: null, accounts, ...more };
  const alert = { ...ALERT, severity: 'critical' as const, resolvedAt: null };
  const message: Message = {
    ...createSampleMessage('registration.mass', 'ops', NOW),
    alert,
    first: false,
    changes,
    seen: { lostSince: null, merged: [], shared },
  };
  return composeContent(message, {
    timezone: 'UTC',
    instance: 'hq',
    externalUrl: null,
    now: NOW,
    customer: (source) => `Customer ${source}`,
  });
}

const NONE_LEFT: AccountLoss[] = ['a', 'b', 'c'].map((source) => ({ source, total: 10, down: 0, most: 10 }));

test('names all that go on in another alert, and says of nobody that phones are back', () => {
  const { headline, kicker, tone, lists } = read([mergeOf('a', 4), mergeOf('b', 1)], NONE_LEFT);
  expect(headline).toBe('5 phones at 2 customers are part of #2 now');
  expect(kicker).toMatch(/ · Merged · Customer a and Customer b$/);
  expect(tone).toBe('info');
  expect(lists).toMatchObject([
    { label: 'Customers', items: ['Customer a: 4 of 10 phones', 'Customer b: 1 of 10 phones'] },
  ]);
});

test('is information, too, where the phones were lost in the same message', () => {
  const { headline, kicker, tone } = read([changeOf('registration.lost', 'a'), mergeOf('a', 4)]);
  expect(headline).toBe('Customer a: 4 phones are part of #2 now');
  expect(kicker).toMatch(/ · Merged · Customer a$/);
  expect(tone).toBe('info');
});

test('leads, whatever else its phones did', () => {
  const { headline } = read([changeOf('registration.flapping', 'a'), mergeOf('a', 4)]);
  expect(headline).toBe('Customer a: 4 phones are part of #2 now');
});

test('is none where one of them loses more in the alert itself', () => {
  const { kicker, tone } = read([mergeOf('a', 4), changeOf('registration.lost', 'b')]);
  expect(kicker).toMatch(/ · Critical · Update · /);
  expect(tone).toBe('critical');
});

test('phones that are lost in a message are not called back, whatever the alert costs', () => {
  expect(read([changeOf('registration.lost', 'b')], NONE_LEFT).headline).toMatch(
    /^Customer b: Extension .* is offline$/,
  );
});

test('phones that are stable again are called back with all others', () => {
  const stable = changeOf('registration.flapping', 'b');
  const ended: Change = { status: 'update', transition: { ...stable.transition, to: null } as Change['transition'] };
  expect(read([ended], NONE_LEFT).headline).toBe('All 30 phones at 3 customers are back');
});

test.each([
  ['is not suspected once all phones are back', 0, 'All 30 phones at 3 customers are back'],
  ['is suspected while some are offline', 1, 'Customer a: 1 of 10 phones offline — outage at the provider suspected'],
])('an outage at the provider %s', (_, down, headline) => {
  const [first, ...others] = NONE_LEFT;
  if (first === undefined) throw new RangeError('there are three');
  const back = changeOf('registration.flapping', 'b');
  const stable: Change = { status: 'update', transition: { ...back.transition, to: null } as Change['transition'] };
  expect(read([stable], [{ ...first, down }, ...others], { phase: 'suspected' }).headline).toBe(headline);
});

test('the end names the state of the notice that explained it', () => {
  const by = { source: 'provider' };
  const notice = { state: 'resolved', by, called: 'Example Telecom', isPlanned: false };
  const back = changeOf('registration.flapping', 'b');
  const stable: Change = { status: 'update', transition: { ...back.transition, to: null } as Change['transition'] };
  expect(read([stable], NONE_LEFT, { notice }).headline).toBe(
    'All 30 phones at 3 customers are back — provider: resolved',
  );
});
