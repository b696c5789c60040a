/** Small accounts: a few phones that are lost by chance are no outage of the provider's. */
import { expect, test } from 'vitest';
import { open, phones, rounds, town } from './paper-town.ts';

const SITES = ['203.0.113.7', '203.0.113.8', '198.51.100.3'];

/** What is open once so many phones of a small account, spread over its sites, are lost within some minutes. */
async function after(lost: number, of: number): Promise<string[]> {
  const all = town();
  await all.sweepPage();
  const given = SITES.flatMap((address, site) =>
    phones(100 * (site + 1), Math.ceil((of - site) / SITES.length), address),
  );
  const account = all.account('acme', given);
  account.sweep(0);
  const byTurns = given.map(({ extension }) => extension).toSorted((a, b) => (Number(a) % 100) - (Number(b) % 100));
  const gone = byTurns.slice(0, lost);
  for (const each of gone) {
    account.lose(({ extension }) => extension === each);
    await rounds(all, [account], 2);
  }
  await rounds(all, [account], 8);
  return open(account);
}

test.each([7, 8, 9, 10])('three of %i phones are single losses', async (of) => {
  expect(await after(3, of)).toEqual(['single']);
});

test.each([
  [3, 6],
  [4, 8],
  [4, 10],
])('%i of %i phones are an outage', async (lost, of) => {
  expect(await after(lost, of)).toEqual(['the account (suspected)']);
});
