/**
 * What the listing of registrations has been seen to be: `[]` for a map and an object for a list, keys such as `007` and
 * `__proto__`, control bytes in `user_agent`, a status in many forms; and an empty one where many phones were known.
 */
import { afterEach, describe, expect, test } from 'vitest';
import type { Provider } from '../../src/simulator/embedded-provider.ts';
import { cases } from '../support/runs.ts';
import { watchAccount, type WatchedAccount, type WatchedAccountOptions } from './watched-account.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function watch(options: WatchedAccountOptions = {}): Promise<WatchedAccount> {
  const watched = await watchAccount(options);
  open.push(watched);
  watched.told();
  watched.events();
  return watched;
}

type Rows = Record<string, Record<string, unknown>[]>;

/** Rewrites the listing; `text` is what goes over the wire, for keys that no literal can hold. */
function listing({ simulator }: Provider, change: (rows: Rows) => unknown): number {
  return simulator.faults.add({
    on: 'registrations.list',
    fault: { kind: 'transform', body: (body) => change(body as Rows) },
  });
}

function phones({ daemon }: WatchedAccount): string[] {
  return (daemon.daemon.accounts[0]?.state.snapshot.phones ?? []).map(({ extension }) => extension);
}

const ROW = {
  user_id: '007',
  expiry: '2026-03-02 10:00:00',
  protocol: 'udp',
  external_ipaddress: '203.0.113.7',
  external_port: '5060',
  internal_ipaddress: '10.0.0.2',
  contact_short: 'sip:007@10.0.0.2',
  contact: 'sip:007@10.0.0.2',
  status: 'Registered(UDP-NAT)(unknown) EXP(2026-03-02 10:00:00) EXPSECS(359)',
  user_agent: 'Yealink SIP-T46S 66.86.0.15',
};

const EMPTY: [string, unknown][] = [
  ['as a list', []],
  ['as an object', {}],
];

describe('an empty map', () => {
  test.each(cases(EMPTY, 2, 0))('%s where many were known, once, is a listing that missed them', async (_, empty) => {
    const watched = await watch();
    const number = listing(watched.provider, () => empty);
    await watched.rounds(1);
    watched.provider.simulator.faults.remove(number);
    await watched.rounds(6);
    expect(watched.events()).toEqual([]);
  });

  test.each(cases(EMPTY, 2, 1))(
    '%s that lasts is one message, after the hold-off, and so is the return',
    async (_, empty) => {
      const { provider, daemon, told, events, rounds } = await watch();
      const number = listing(provider, () => empty);
      await rounds(5);
      expect(events()).toEqual([]);
      const before = daemon.people.sent.length;
      await rounds(1);
      expect(told()[0]).toBe('registration.mass registrations (open)');
      expect(daemon.people.sent).toHaveLength(before + 1);
      await rounds(3);
      expect(told()).toEqual([]);
      provider.simulator.faults.remove(number);
      await rounds(1);
      expect(told()).toEqual(['registration.restored registrations (resolved)']);
      expect(events().filter((line) => line.startsWith('registration.device'))).toEqual([]);
    },
  );
});

describe('the shape', () => {
  test('of a lone registration that is an object and not a list, for one or for all', async () => {
    const watched = await watch();
    const { account, events, rounds } = watched;
    account.world.quirks.loneRegistrationAsObject = true;
    await rounds(8);
    expect(events()).toEqual([]);
    expect(phones(watched).length).toBeGreaterThan(20);
  });

  test('of a list without keys: its rows know whose they are', async () => {
    const watched = await watch();
    listing(watched.provider, (rows) => Object.values(rows).flat());
    await watched.rounds(8);
    expect(watched.events()).toEqual([]);
  });

  test('in another order, with other ports, contacts, expiries and other letters says nothing', async () => {
    const watched = await watch();
    let round = 0;
    listing(watched.provider, (rows) => {
      round += 1;
      return Object.fromEntries(
        Object.entries(rows)
          .toReversed()
          .map(([key, contacts]) => [
            key,
            contacts.toReversed().map((row) => ({
              ...row,
              external_port: 1024 + round,
              expiry: `${round}`,
              contact: `sip:${round}`,
              contact_short: null,
              internal_port: undefined,
              protocol: round % 2 === 0 ? 'UDP-NAT' : 'UDP',
              status: `Registered(UDP${round % 2 === 0 ? '-NAT' : ''})(unknown) EXP(x) EXPSECS(${100 + round})`,
              call_id: `${Math.floor(round)}@x`,
            })),
          ]),
      );
    });
    await watched.rounds(6);
    expect(watched.events()).toEqual([]);
  });

  test.each<[string, unknown]>(
    cases(
      [
        ['an error', { message: 'Server Error' }],
        ['a text', 'none'],
        ['null', null],
        ['a map of texts', { '101': 'x', '102': 'y' }],
        ['a map of nulls', { '101': null, '102': null }],
      ],
      2,
    ),
  )('of %s is no listing: nobody is lost', async (_, body) => {
    const watched = await watch();
    const before = phones(watched);
    listing(watched.provider, () => body);
    await watched.rounds(8);
    expect(watched.told()).toEqual(['source.unreachable source (open)']);
    expect(phones(watched)).toEqual(before);
  });

  test.each<[string, unknown]>(
    cases(
      [
        [
          'an error with its trace',
          {
            message: 'SQLSTATE[HY000] [2002] Connection refused',
            exception: 'Illuminate\\Database\\QueryException',
            file: '/srv/app/vendor/Connection.php',
            line: 829,
            trace: [
              { file: '/srv/app/vendor/Connection.php', line: 783, function: 'run', class: 'Connection', type: '->' },
            ],
          },
        ],
        ['rows of something else', { '101': [{ id: 4, name: 'x' }], '102': [{ id: 5, name: 'y' }] }],
        ['the registrations of nobody known', { x: [{ ...ROW, user_id: 'x' }], y: [{ ...ROW, user_id: 'y' }] }],
      ],
      2,
    ),
  )('of %s, eight times, is no listing: nobody is lost and nobody is new', async (_, body) => {
    const watched = await watch();
    const before = phones(watched);
    listing(watched.provider, () => body);
    await watched.rounds(8);
    expect(watched.told()).toEqual(['source.unreachable source (open)']);
    expect(phones(watched)).toEqual(before);
    watched.provider.simulator.faults.clear();
    await watched.rounds(2);
    expect(watched.told()).toEqual(['source.recovered source (resolved)']);
    expect(watched.events().filter((line) => line.startsWith('registration.'))).toEqual([]);
  });

  test('of nobody known whom the list of extensions names: all were replaced, and are watched', async () => {
    const watched = await watch();
    const { provider, told, rounds } = watched;
    listing(provider, () => ({ '7001': [{ ...ROW, user_id: '7001' }] }));
    provider.simulator.faults.add({
      on: 'extensions.list',
      fault: { kind: 'transform', body: () => [{ id: 7, user_id: '7001', name: 'New' }] },
    });
    await rounds(3);
    expect(told().filter((line) => line.startsWith('source.'))).toEqual([]);
    expect(phones(watched)).toContain('7001');
  });

  test('of whom nobody was known before is the first that names phones', async () => {
    const watched = await watch({ before: (provider) => void listing(provider, () => []) });
    await watched.rounds(1);
    watched.provider.simulator.faults.clear();
    await watched.rounds(2);
    expect(phones(watched).length).toBeGreaterThan(20);
  });

  test('of junk beside the phones loses nobody until it is known to be a habit, which is told once', async () => {
    const watched = await watch();
    const { provider, account, told, events, rounds } = watched;
    listing(provider, (rows) => ({ ...rows, junk: 'x', none: null, 999: 12 }));
    const [extension = ''] = account.world.phones.registrations('UTC').keys();
    await rounds(5);
    expect(told()).toEqual(['source.schema source (info)']);
    account.world.phones.lose({ extension });
    await rounds(7);
    expect(told()).toEqual([`registration.lost registration/${extension} (open)`]);
    expect(events()).toEqual(['source.schema source (info)', `registration.lost registration/${extension} (open)`]);
  });
});

describe('keys', () => {
  const ODD = ['007', '0', '1', '__proto__', 'constructor', 'toString', 'length', '1001 ', 'ähm', '-1', '1e3'];

  test('such as 007 and __proto__ are extensions like others: found, lost and found again', async () => {
    const text = `{${ODD.map((key) => `${JSON.stringify(key)}:[${JSON.stringify({ ...ROW, user_id: key })}]`).join(',')}}`;
    const all = JSON.parse(text) as object;
    const without = (...keys: string[]): unknown =>
      JSON.parse(
        `{${ODD.filter((key) => !keys.includes(key))
          .map((key) => `${JSON.stringify(key)}:[${JSON.stringify({ ...ROW, user_id: key })}]`)
          .join(',')}}`,
      );
    const watched = await watch({ before: (provider) => void listing(provider, () => all) });
    const { provider, told, rounds } = watched;
    expect(phones(watched).toSorted()).toEqual(ODD.map((key) => key.trim()).toSorted());
    provider.simulator.faults.clear();
    const number = listing(provider, () => without('007', '__proto__'));
    await rounds(7);
    expect(told().toSorted()).toEqual([
      'registration.lost registration/007 (open)',
      'registration.lost registration/__proto__ (update)',
    ]);
    provider.simulator.faults.remove(number);
    listing(provider, () => all);
    await rounds(1);
    expect(told().toSorted()).toEqual([
      'registration.restored registration/007 (update)',
      'registration.restored registration/__proto__ (resolved)',
    ]);
    expect(({} as Record<string, unknown>)['user_id']).toBeUndefined();
  });

  test('that are empty or control characters alone are junk', async () => {
    const watched = await watch();
    listing(watched.provider, (rows) => ({ ...rows, '': [ROW], '\u0000\u0007': [ROW], ' ': [ROW] }));
    await watched.rounds(4);
    expect(watched.told()).toEqual(['source.schema source (info)']);
    expect(phones(watched)).not.toContain('');
  });
});

describe('a user agent', () => {
  test('with control bytes is the same telephone as without them', async () => {
    const watched = await watch();
    const { account, events, rounds } = watched;
    const [extension = ''] = account.world.phones.registrations('UTC').keys();
    const [row] = account.world.phones.registrations('UTC').get(extension) ?? [];
    const agent = row?.user_agent ?? '';
    account.world.phones.setAgent({ extension }, `${agent.replaceAll(' ', '\u0000 \u0007')}\r\n\u001B\u0000`);
    await rounds(3);
    expect(events()).toEqual([]);
  });

  test('of another make is told without them', async () => {
    const watched = await watch();
    const { account, daemon, events, rounds } = watched;
    const [extension = ''] = account.world.phones.registrations('UTC').keys();
    account.world.phones.setAgent({ extension }, 'Evil\u0000Phone\r\nX-Injected: 1\u001B[31m 9.9.9\u009B');
    await rounds(2);
    expect(events()).toEqual([`registration.device registration/${extension} (info)`]);
    expect(JSON.stringify(daemon.programs.sent.at(-1))).not.toMatch(/\\u00[01]|\\[rn]|[\u0080-\u009f]/);
  });

  test.each<[string, unknown]>(
    cases(
      [
        ['null', null],
        ['missing', undefined],
        ['empty', ''],
        ['a number', 46],
        ['an object', { a: 1 }],
        ['100 kB', 'x'.repeat(100_000)],
      ],
      5,
    ),
  )('that is %s loses no phone', async (_, agent) => {
    const watched = await watch();
    listing(watched.provider, (rows) =>
      Object.fromEntries(
        Object.entries(rows).map(([key, contacts]) => [key, contacts.map((row) => ({ ...row, user_agent: agent }))]),
      ),
    );
    await watched.rounds(8);
    expect(watched.events().filter((line) => /lost|mass|unreachable/.test(line))).toEqual([]);
    expect(JSON.stringify(watched.daemon.daemon.accounts[0]?.state).length).toBeLessThan(100_000);
  });
});

describe('the noise of a registrar', () => {
  test('one listing that misses a healthy phone is silent', async () => {
    const watched = await watch();
    const { account, events, rounds } = watched;
    for (let time = 0; time < 3; time += 1) {
      account.world.phones.missOnce({ count: 3 });
      await rounds(3);
    }
    expect(events()).toEqual([]);
  });

  test('a phone listed far beyond its expiry is gone; one in its last minute is not', async () => {
    const watched = await watch();
    const { provider, account, told, rounds } = watched;
    const [gone = '', last = ''] = account.world.phones.registrations('UTC').keys();
    const left = (key: string): number => (key === gone ? -600 : key === last ? -30 : 300);
    listing(provider, (rows) =>
      Object.fromEntries(
        Object.entries(rows).map(([key, contacts]) => [
          key,
          contacts.map((row) => ({ ...row, status: `Registered(UDP-NAT)(unknown) EXP(x) EXPSECS(${left(key)})` })),
        ]),
      ),
    );
    await rounds(8);
    expect(told()).toEqual([`registration.lost registration/${gone} (open)`]);
  });
});
