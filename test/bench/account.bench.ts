/** What a listing of ten thousand phones costs to compare: quiet, with losses, and all at once. */
import { expect, test } from 'vitest';
import { emptyAccountSnapshot, type AccountSnapshot } from '../../src/core/account/snapshot.ts';
import { compareAccount, type AccountLook } from '../../src/core/account/compare.ts';
import type { Registered } from '../../src/core/account/model.ts';
import type { Listing } from '../../src/core/observation/listing.ts';
import { SETTINGS } from '../core/account/paper-town.ts';

const look: AccountLook = {
  source: { name: 'large', baseUrl: 'https://api.example.test' },
  settings: SETTINGS,
  unreachableAfterMs: 300_000,
  now: 0,
  elapsedMs: 60_000,
  sweep: 1,
};

function listed(count: number): Registered[] {
  return Array.from({ length: count }, (_, index) => ({
    extension: String(10_000 + index),
    contacts: [
      {
        protocol: 'udp',
        address: `203.0.${(index >> 7) & 127}.${(index >> 5) & 3}`,
        device: { model: 'Yealink SIP-T46S', firmware: `66.86.0.${index % 9}` },
      },
    ],
  }));
}

function see(snapshot: AccountSnapshot, items: Registered[]): AccountSnapshot {
  const registrations: Listing<Registered> = { kind: 'observed', items, defects: [], missing: null };
  return compareAccount(snapshot, { kind: 'registrations', registrations, extensions: null }, look).snapshot;
}

test('comparing 10,000 phones', { timeout: 120_000 }, async ({ bench }) => {
  const everyone = listed(10_000);
  const quiet = see(emptyAccountSnapshot(), everyone);
  const some = everyone.filter((_, index) => index % 10 !== 0);
  const half = Array.from({ length: 6 }).reduce((snapshot: AccountSnapshot) => see(snapshot, some), quiet);
  const none = Array.from({ length: 5 }).reduce((snapshot: AccountSnapshot) => see(snapshot, []), quiet);
  expect(none.phones).toHaveLength(10_000);
  await bench.compare(
    bench('all there', () => void see(quiet, everyone)),
    bench('1,000 lost already', () => void see(half, some)),
    bench('all told lost now', () => void see(none, [])),
  );
});
