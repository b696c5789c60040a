/** Phones in words, where some are back and others are not. */
import { describe, expect, it, test } from 'vitest';
import type { Change } from '../../../src/core/alert/alert.ts';
import type { MassDetails, PhonesDetails } from '../../../src/core/transition/details.ts';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { createSampleMessage } from '../../../src/core/wording/samples/samples.ts';
import { NOW } from '../../support/messages.ts';
import { formatOffline, formatPartialEnd, formatOthersOffline } from '../../../src/core/wording/phones/phone-words.ts';

const KEW = { alert: 'a', number: 1, phones: 7 };
const ONE = { alert: 'b', number: 5, phones: 1 };

test('what is over, and under which numbers the rest goes on', () => {
  expect(formatPartialEnd({ phones: 39, remaining: [KEW] })).toBe(
    '39 phones online again; 7 others still offline (#1)',
  );
  expect(formatPartialEnd({ phones: 1, remaining: [ONE] })).toBe('1 phone online again; 1 other still offline (#5)');
  expect(formatPartialEnd({ phones: 4, remaining: [KEW, ONE] })).toBe(
    '4 phones online again; 8 others still offline (7 in #1 and 1 in #5)',
  );
});

test('the same as a sentence', () => {
  expect(formatOthersOffline({ phones: 39, remaining: [KEW] })).toBe('7 other phones are still offline (#1).');
  expect(formatOthersOffline({ phones: 39, remaining: [ONE] })).toBe('1 other phone is still offline (#5).');
});

describe('a loss', () => {
  const details: PhonesDetails = {
    domain: { kind: 'account', name: '', address: null },
    total: 59,
    down: 40,
    phones: [],
    more: 40,
    sites: ['Richmond', 'Perth'],
    by_site: [
      { site: 'Richmond', down: 38, total: 40 },
      { site: 'Perth', down: 2, total: 19 },
    ],
    since: null,
  };
  const atRichmond: PhonesDetails = {
    ...details,
    domain: { kind: 'site', name: 'Richmond', address: '192.0.2.1' },
    by_site: [],
  };

  it.each([
    [false, '40 of 59 phones offline: Richmond 38/40, Perth 2/19', '40 of 59 phones at Richmond are offline'],
    [true, '40 of 59 phones were offline: Richmond 38/40, Perth 2/19', '40 of 59 phones at Richmond were offline'],
  ])('is in the past in the message of its end: %s', (isOver, ofAccount, ofSite) => {
    const context = { isYours: false, again: '', isOver };
    expect(formatOffline(details, context)).toBe(ofAccount);
    expect(formatOffline(atRichmond, context)).toBe(ofSite);
    expect(formatOffline({ ...atRichmond, down: 1 }, context)).toMatch(isOver ? / was offline$/ : / is offline$/);
  });
});

test('the end of a notice is no all-clear while an earlier alert has phones that it explains', () => {
  const compose = (phones: number) => {
    const elsewhere = [{ alert: 'a-1', number: 1, phones }];
    const seen = { lostSince: null, merged: [], shared: null, ...(phones > 0 && { elsewhere }) };
    const options = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: NOW };
    return composeContent({ ...createSampleMessage('notice.closed', 'ops', NOW), seen }, options);
  };
  expect(compose(143)).toMatchObject({ tone: 'ended', sentences: ['143 phones are still offline (#1).'] });
  expect(compose(1).sentences).toEqual(['1 phone is still offline (#1).']);
  expect(compose(0)).toMatchObject({ tone: 'resolved', sentences: [] });
});

test('a loss all over an account says what to do, by its cause', () => {
  const compose = (own: Partial<MassDetails>): string[] => {
    const mass = createSampleMessage('registration.mass', 'ops', NOW);
    const changes = mass.changes.map((change): Change => {
      if (change.transition.kind !== 'registration.mass') throw new RangeError('phones are lost');
      const domain = { kind: 'account' as const, name: '', address: null };
      const details = { ...change.transition.details, domain, ...own };
      return { ...change, transition: { ...change.transition, details } };
    });
    return composeContent({ ...mass, changes }, { timezone: 'UTC', instance: 'hq', externalUrl: null, now: NOW })
      .sentences;
  };
  const cause = { alert: 'a', number: 1, title: 'Calls failing' };
  expect(compose({}).at(-1)).toMatch(/^Check the credentials of the phones/);
  expect(compose({ suspected: true }).at(-1)).toBe('Call the provider.');
  expect(compose({ explained_by: cause }).at(-1)).toBe('Divert the calls that cannot wait.');
  // Planned work has an end.
  expect(compose({ explained_by: { ...cause, planned: true } }).join(' ')).not.toMatch(/Divert|Check|Call the/);
  // A site has advice of its own.
  const domain = { kind: 'site' as const, name: 'Richmond', address: '203.0.113.7' };
  expect(compose({ domain, explained_by: cause }).at(-1)).toMatch(/^They share one external address/);
});
