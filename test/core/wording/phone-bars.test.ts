/** The picture of a mass loss: a bar for each site, in which nothing that is there is rounded away. */
import { expect, test } from 'vitest';
import { ACCOUNT } from '../../../src/core/account/domain.ts';
import type { PhonesDetails, SiteCount } from '../../../src/core/transition/details.ts';
import { drawPhoneBars } from '../../../src/core/wording/phones/phone-bars.ts';
import type { Message } from '../../../src/core/outbox/message.ts';
import { createMassDetails, RICHMOND } from '../../../src/core/wording/samples/sample-parts.ts';
import { change, NOW } from '../../support/messages.ts';

function counted(by_site: SiteCount[] | undefined, total = 14, down = 14): PhonesDetails {
  return createMassDetails(
    NOW,
    { domain: RICHMOND, total, down, nameOf: () => null },
    by_site === undefined ? {} : { by_site },
  );
}

function told(source: string, details: PhonesDetails) {
  return change('registration.mass', 'registrations', { from: 14, to: 0, details }, 'open', NOW, source);
}

function itemsOf(...changes: ReturnType<typeof told>[]): string[] {
  return drawPhoneBars({ changes }, { customer: () => null }).flatMap(({ items }) => items);
}

test('what is offline stands first, and one phone of a hundred can be seen', () => {
  const sites = [
    { site: 'Carlton', total: 100, down: 1 },
    { site: 'Richmond', total: 100, down: 99, away: 1 },
    { site: 'Perth', total: 8, down: 0 },
  ];
  expect(itemsOf(told('acme', counted(sites)))).toEqual([
    '█░░░░░░░░· Richmond: 99 of 100 phones offline, 1 logged off as usual',
    '█████████░ Carlton: 1 of 100 phones offline',
    '██████████ Perth: all 8 phones registered',
  ]);
});

test('one site is a bar as well, and the last count of an account is the one that holds', () => {
  expect(itemsOf(told('acme', counted(undefined, 14, 4)), told('acme', counted(undefined)))).toEqual([
    '░░░░░░░░░░ Richmond: 14 of 14 phones offline',
  ]);
});

test('the bar of an account with one site is called by that', () => {
  const ofAccount = (by_site?: SiteCount[]): PhonesDetails => ({ ...counted(by_site, 9, 1), domain: ACCOUNT });
  expect(itemsOf(told('acme', ofAccount([{ site: 'Essendon', total: 9, down: 1 }])))).toEqual([
    '█████████░ Essendon: 1 of 9 phones offline',
  ]);
  expect(itemsOf(told('acme', ofAccount()))).toEqual(['█████████░ All sites: 1 of 9 phones offline']);
});

test('several accounts are not drawn: they stand in a list of their own', () => {
  expect(itemsOf(told('acme', counted(undefined)), told('bolt', counted(undefined)))).toEqual([]);
});

test('where all are back there is nothing to draw, and of many sites the worst are', () => {
  expect(itemsOf(told('acme', counted(undefined, 14, 0)))).toEqual([]);
  const many = Array.from({ length: 30 }, (_, index) => ({ site: `Site ${index}`, total: 10, down: index % 10 }));
  const drawn = drawPhoneBars({ changes: [told('acme', counted(many))] }, { customer: () => null });
  expect(drawn.map(({ items, unlisted }) => [items.length, unlisted])).toEqual([[12, 18]]);
});

test('customers whose phones are back have no bar', () => {
  const accounts = [
    { source: 'a', total: 10, down: 0, most: 9 },
    { source: 'b', total: 10, down: 2, most: 8 },
    { source: 'c', total: 20, down: 5, most: 8 },
    { source: 'd', total: 20, down: 0, most: 4 },
  ];
  const itemsFor = (some: typeof accounts) =>
    drawPhoneBars(
      {
        changes: [told('c', counted(undefined))],
        seen: { shared: { phase: 'open', notice: null, accounts: some } },
      } as unknown as Message,
      { customer: (source) => source.toUpperCase() },
    ).flatMap(({ items, places }) => [...items, String(places)]);
  expect(itemsFor(accounts)).toEqual([
    '███████░░░ C: 5 of 20 phones offline',
    '████████░░ B: 2 of 10 phones offline',
    '2',
  ]);
  expect(itemsFor(accounts.filter(({ down }) => down > 0)).at(-2)).toMatch(/ B: /);
  expect(itemsFor(accounts.map((one) => ({ ...one, down: 0 })))).toEqual([]);
});
