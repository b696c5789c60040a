/** Cost of comparing a listing of ten thousand phones: quiet, with losses, and all lost at once. */
import { createAccountSnapshot, type AccountSnapshot } from '../../src/core/account/account-snapshot.ts';
import { compareAccount, type AccountLook } from '../../src/core/account/compare-account.ts';
import type { Registered } from '../../src/core/account/account-model.ts';
import type { Listing } from '../../src/core/observation/listing.ts';
import { SETTINGS } from '../core/account/paper-town.ts';
import type { Row } from './figures.ts';
import { timed } from './timing.ts';

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

export async function measureCompare(): Promise<Row[]> {
  const everyone = listed(10_000);
  const quiet = see(createAccountSnapshot(), everyone);
  const some = everyone.filter((_, index) => index % 10 !== 0);
  const half = Array.from({ length: 6 }).reduce((snapshot: AccountSnapshot) => see(snapshot, some), quiet);
  const none = Array.from({ length: 5 }).reduce((snapshot: AccountSnapshot) => see(snapshot, []), quiet);
  if (none.phones?.length !== 10_000) throw new Error('phones were forgotten');
  const row = { bare: null, unit: 'ms', wanted: null };
  return [
    { ...row, what: 'comparing 10,000 phones: all there', linewatch: await timed(40, () => see(quiet, everyone)) },
    { ...row, what: 'likewise: 1,000 lost already', linewatch: await timed(40, () => see(half, some)) },
    { ...row, what: 'likewise: all told lost now', linewatch: await timed(20, () => see(none, [])) },
  ];
}
