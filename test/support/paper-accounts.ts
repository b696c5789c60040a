/** Two accounts as a whole daemon watches them, on paper: which of their phones are lost is asked at every look. */
import type { Registered } from '../../src/core/account/account-model.ts';
import type { Listing } from '../../src/core/observation/listing.ts';
import type { WatchedAccount } from '../../src/daemon/loop/options.ts';
import { SETTINGS } from '../core/account/paper-town.ts';
import { MINUTE } from './paper-daemon.ts';

/** Ten phones at two sites of one account, and five of another. */
export const TOWN = [
  ...Array.from({ length: 10 }, (_each, index) => ({
    account: 'acme',
    extension: String(101 + index),
    address: index % 2 === 0 ? '203.0.113.7' : '203.0.113.8',
  })),
  ...Array.from({ length: 5 }, (_each, index) => ({
    account: 'zenith',
    extension: String(201 + index),
    address: '198.51.100.3',
  })),
];

/** Labels of a source: an account has its customer and a label of the operator's own. */
export function labelsOf(source: string): Readonly<Record<string, string>> {
  const region = { acme: 'north', zenith: 'south' }[source];
  return region === undefined ? {} : { customer: source, region };
}

/** Accounts whose names are those of their customers; `lost` is called at every sweep. */
export function accountsOf(lost: () => ReadonlySet<string>, everyMs: number): WatchedAccount[] {
  const seen = <T>(items: T[]): Promise<Listing<T>> =>
    Promise.resolve({ kind: 'observed', items, defects: [], missing: null });
  return ['acme', 'zenith'].map((name) => {
    const phones = TOWN.filter(({ account }) => account === name);
    return {
      name,
      baseUrl: `https://${name}.api.example.test`,
      reader: {
        registrations: () =>
          seen(
            phones
              .filter(({ extension }) => !lost().has(extension))
              .map(({ extension, address }): Registered => ({
                extension,
                contacts: [{ protocol: 'UDP', address, device: null }],
              })),
          ),
        extensions: () =>
          seen(phones.map(({ extension }) => ({ id: extension, number: extension, name: `Desk ${extension}` }))),
        toggles: () => seen([{ id: '1', name: 'After hours', status: false }]),
        restMs: () => 0,
      },
      registrationsEveryMs: everyMs,
      togglesEveryMs: everyMs,
      unreachableAfterMs: 60 * MINUTE,
      settings: SETTINGS,
      page: 'provider',
      labels: labelsOf(name),
    };
  });
}
