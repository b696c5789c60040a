import { describe, expect, test } from 'vitest';
import type { RegistrationRow } from '../../src/simulator/account/registered-phones.ts';
import type { AccountWorld } from '../../src/simulator/account/account-world.ts';
import { type AccountClient, accountClient } from './support/account-client.ts';

type Held = Record<string, RegistrationRow[]>;

/** Twenty extensions on two sites with one phone each. */
function twenty(): AccountClient & { world: AccountWorld; held: () => Promise<Held> } {
  const client = accountClient({ accounts: [{ extensions: 20, phoneShares: { without: 0, second: 0 } }] });
  return {
    ...client,
    world: client.provider.accounts.account().world,
    held: () => client.get<Held>('/pbx/registrations'),
  };
}

test('a registration reads like those of real registrars', async () => {
  const { held } = twenty();
  for (const [number, rows] of Object.entries(await held())) {
    for (const row of rows) {
      expect(row.user_id).toBe(number);
      expect(row.status).toMatch(
        /^Registered\((?:UDP|TCP|TLS)-NAT\)\(unknown\) EXP\(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\) EXPSECS\(\d+\)$/,
      );
      expect(row.contact).toContain(`<sip:${number}@${row.internal_ipaddress}:5060;`);
      expect(row.user_agent.length).toBeGreaterThan(5);
    }
  }
  expect(
    new Set(
      Object.values(await held())
        .flat()
        .map((row) => row.external_ipaddress),
    ),
  ).toEqual(new Set(['203.0.113.7', '198.51.100.24']));
});

test('hours later only the expiry has moved, and it is never past', async () => {
  const { held, pass } = twenty();
  const still = (all: Held): unknown => Object.values(all).map(([row]) => ({ ...row, expiry: '', status: '' }));
  const before = await held();
  pass(7 * 3_600_000 + 1234);
  const after = await held();
  expect(still(after)).toEqual(still(before));
  for (const row of Object.values(after).flat()) {
    expect(Number(/EXPSECS\((?<left>\d+)\)/.exec(row.status)?.groups?.['left'])).toBeGreaterThan(30);
  }
});

describe('phones', () => {
  test('of a site are lost and come back', async () => {
    const { held, world, pass } = twenty();
    const total = Object.keys(await held()).length;
    expect(total).toBe(20);
    expect(world.phones.lose({ site: 'Richmond' })).toBe(10);
    expect(
      new Set(
        Object.values(await held())
          .flat()
          .map((row) => row.external_ipaddress),
      ),
    ).toEqual(new Set(['198.51.100.24']));
    pass(3_600_000);
    expect(Object.keys(await held())).toHaveLength(10);
    world.phones.bringBack({ site: '203.0.113.7' });
    expect(Object.keys(await held())).toHaveLength(20);
  });

  test('without power stay listed until a minute after their expiry', async () => {
    const client = accountClient({ accounts: [{ extensions: 1, phoneShares: { without: 1 } }] });
    const { world } = client.provider.accounts.account();
    const [site] = world.sites;
    if (site === undefined) throw new Error('The world has no site.');
    const device = { model: 'Yealink SIP-T46S', firmware: '66.86.0.15', format: 'Yealink SIP-T46S {firmware}' };
    world.phones.connect({ extension: '1001', site, device, expirySeconds: 600 });
    const listed = async (): Promise<boolean> => '1001' in (await client.get<Held>('/pbx/registrations'));
    world.phones.lose({}, { lingers: true });
    // The last refresh lies at most half an expiry back.
    client.pass(300_000);
    expect(await listed()).toBe(true);
    client.pass(360_000);
    expect(await listed()).toBe(false);
  });

  test('come back by themselves when told so', async () => {
    const { held, world, pass } = twenty();
    world.phones.lose({ extension: ['1001', '1002'] }, { returnsIn: 90 });
    expect(Object.keys(await held())).toHaveLength(18);
    pass(89_999);
    expect(Object.keys(await held())).toHaveLength(18);
    pass(1);
    expect(Object.keys(await held())).toHaveLength(20);
  });

  test('reboot when their registration is deleted', async () => {
    const { held, ask, pass } = twenty();
    expect((await ask('DELETE', '/pbx/registrations/40001')).body).toEqual({ result: true });
    expect(await held()).not.toHaveProperty('1001');
    expect((await ask('DELETE', '/pbx/registrations/40001')).body).toEqual({ result: false });
    pass(7999);
    expect(await held()).not.toHaveProperty('1001');
    pass(18_000);
    expect(await held()).toHaveProperty('1001');
  });

  test('of a model get another firmware, whatever else they say stays', async () => {
    const { held, world } = twenty();
    const agents = async (): Promise<string[]> =>
      Object.values(await held())
        .flat()
        .map((row) => row.user_agent);
    const before = await agents();
    const changed = world.phones.upgrade({ model: 'Yealink SIP-T46S' }, '66.86.0.20');
    const after = await agents();
    expect(changed).toBeGreaterThan(2);
    expect(after.filter((agent) => agent.startsWith('Yealink SIP-T46S 66.86.0.20 '))).toHaveLength(changed);
    expect(after.map((agent) => agent.replace('66.86.0.20', '66.86.0.15'))).toEqual(before);
  });

  test('are seen from another address', async () => {
    const { held, world } = twenty();
    world.phones.renumber({ site: 'Parramatta', count: 3 }, '192.0.2.99');
    expect(
      Object.values(await held())
        .flat()
        .filter((row) => row.external_ipaddress === '192.0.2.99'),
    ).toHaveLength(3);
  });

  test('may be missed by one listing while they refresh', async () => {
    const { held, world } = twenty();
    world.phones.missOnce({ extension: '1005' });
    expect(await held()).not.toHaveProperty('1005');
    expect(await held()).toHaveProperty('1005');
  });

  test('say anything in their user agent', async () => {
    const { held, world } = twenty();
    world.phones.setAgent({ extension: '1001' }, '<!channel>\r\n\u0007');
    expect((await held())['1001']?.[0]?.user_agent).toBe('<!channel>\r\n\u0007');
  });

  test('that match nothing are refused by name', () => {
    const { world } = twenty();
    expect(() => world.phones.lose({ site: 'Nowhere' })).toThrow('No phone matches {"site":"Nowhere"}.');
  });
});

test('without any phone the map arrives as a list, as it really does, or as documented', async () => {
  const { get, provider } = accountClient({ accounts: [{ extensions: 5, phoneShares: { without: 1 } }] });
  expect(await get('/pbx/registrations')).toEqual([]);
  provider.accounts.account().world.quirks.emptyMapAsList = false;
  expect(await get('/pbx/registrations')).toEqual({});
});

test('a lone registration may arrive without its list', async () => {
  const { held, world } = twenty();
  world.quirks.loneRegistrationAsObject = true;
  expect((await held())['1001']).toMatchObject({ user_id: '1001' });
});

describe('made-up worlds', () => {
  async function told(seed: number): Promise<string> {
    const { get } = accountClient({ seed, accounts: [{ extensions: 12 }] });
    const parts = [
      '/pbx/extensions',
      '/pbx/registrations',
      '/pbx/voicemail',
      '/pbx/phonebook/71/items',
      '/pbx/reports/outgoing-calls?time_period=last_month',
      '/order-numbers/numbers/AU/Perth',
    ];
    const bodies: unknown[] = [];
    for (const part of parts) bodies.push(await get(part));
    return JSON.stringify(bodies);
  }

  test('are the same for the same seed and others for another', async () => {
    const first = await told(7);
    expect(await told(7)).toBe(first);
    expect(await told(8)).not.toBe(first);
  });

  test.each([5, 100, 10_000])('of %d extensions', async (extensions) => {
    const { get } = accountClient({ accounts: [{ extensions, phoneShares: { without: 0, second: 0 } }] });
    expect(Object.keys(await get<Held>('/pbx/registrations'))).toHaveLength(extensions);
    expect(await get<unknown[]>('/pbx/extensions')).toHaveLength(extensions);
  });

  test('of a size that cannot be are refused', () => {
    expect(() => accountClient({ accounts: [{ extensions: 10_001 }] })).toThrow('0 to 10000 extensions, not 10001');
  });
});
