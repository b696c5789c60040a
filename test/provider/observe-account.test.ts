/** What an account's answers come to, the documented, the odd and the hostile. */
import { afterEach, describe, expect, it } from 'vitest';
import { createReadOnlyClient } from '../../src/provider/account-client.ts';
import { createLimiter } from '../../src/provider/limiter.ts';
import { observeExtensions, observeRegistrations, observeToggles } from '../../src/provider/observe-account.ts';
import { serve, type LocalServer } from './local-server.ts';

let server: LocalServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function readerOf(body: string, status = 200) {
  server = await serve((_arrival, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body);
  });
  const limiter = createLimiter({ requestsPerSecond: 10, windowMs: 1 });
  return createReadOnlyClient({ baseUrl: server.base, apiKey: 'key', limiter, retry: { retries: 0 } });
}

const ROW = {
  user_id: '101',
  expiry: '2026-03-02 10:00:00',
  protocol: 'UDP',
  external_ipaddress: '203.0.113.7',
  external_port: '5060',
  internal_ipaddress: '10.0.0.2',
  contact_short: 'sip:101@10.0.0.2',
  contact: 'sip:101@10.0.0.2',
  status: 'Registered(UDP-NAT)(unknown) EXP(2026-03-02 10:00:00) EXPSECS(359)',
  user_agent: 'Yealink\u0000 SIP-T46S 66.86.0.15 805ec0123456',
};
const CONTACT = {
  protocol: 'udp',
  address: '203.0.113.7',
  device: { model: 'Yealink SIP-T46S', firmware: '66.86.0.15' },
};

describe('registrations', () => {
  it.each([
    ['a list of contacts', { '101': [ROW] }, [{ extension: '101', contacts: [CONTACT] }], 0],
    ['a single contact that is no list', { '101': ROW }, [{ extension: '101', contacts: [CONTACT] }], 0],
    ['an empty map as a list', [], [], 0],
    ['an empty map', {}, [], 0],
    ['numbers such as 007', { '007': [{ ...ROW, user_id: '007' }] }, [{ extension: '007', contacts: [CONTACT] }], 0],
    ['a leftover far beyond its expiry', { '101': [{ ...ROW, status: 'Registered(UDP) EXPSECS(-600)' }] }, [], 0],
    [
      'one in its last minute',
      { '101': [{ ...ROW, status: 'Registered(UDP) EXPSECS(-30)' }] },
      [{ extension: '101', contacts: [CONTACT] }],
      0,
    ],
    [
      'junk in place of a phone',
      { '101': [ROW], '102': 'junk', '103': [7], '104': null },
      [
        { extension: '101', contacts: [CONTACT] },
        { extension: '102', contacts: [] },
        { extension: '103', contacts: [] },
        { extension: '104', contacts: [] },
      ],
      1,
    ],
    [
      'junk in place of phones whose names read like a sentence or a place of ours',
      { '101': [ROW], 'a is a b': 'junk', '7[0]': 'junk' },
      [
        { extension: '101', contacts: [CONTACT] },
        { extension: 'a is a b', contacts: [] },
        { extension: '7[0]', contacts: [] },
      ],
      1,
    ],
    [
      'rows that are no registrations',
      { '101': [ROW], '102': [{ message: 'Too busy' }], '103': [{}, { ...ROW, user_id: '103' }] },
      [
        { extension: '101', contacts: [CONTACT] },
        { extension: '103', contacts: [CONTACT] },
        { extension: '102', contacts: [] },
      ],
      1,
    ],
    [
      'rows that are no registrations, in a list that has lost its keys',
      [ROW, { user_id: '102', message: 'Too busy' }, { message: 'Too busy' }],
      [
        { extension: '101', contacts: [CONTACT] },
        { extension: '102', contacts: [] },
      ],
      1,
    ],
    ['an extension without a contact', { '101': [ROW], '102': [] }, [{ extension: '101', contacts: [CONTACT] }], 0],
  ])('%s', async (_, body, items, defects) => {
    const listing = await observeRegistrations(await readerOf(JSON.stringify(body)));
    expect(listing).toMatchObject({ kind: 'observed', items, missing: null });
    expect(listing.kind === 'observed' ? listing.defects.length : -1).toBe(defects);
  });

  it('keep a key such as __proto__ as what it is', async () => {
    const listing = await observeRegistrations(await readerOf(`{"__proto__": [${JSON.stringify(ROW)}]}`));
    expect(listing).toMatchObject({ items: [{ extension: '__proto__' }] });
  });

  it.each([
    ['an error with 200', '{"message": "Something went wrong", "code": 1}', 200, 'contract_broken'],
    ['a text', '"no"', 200, 'contract_broken'],
    ['null', 'null', 200, 'contract_broken'],
    ['a refusal', '{"message":"Unauthenticated."}', 401, 'credentials'],
    ['a failure', '{"message":"Server Error"}', 500, 'server_error'],
  ])('%s is no listing', async (_, body, status, code) => {
    expect(await observeRegistrations(await readerOf(body, status))).toMatchObject({ kind: 'missed', code });
  });
});

describe('toggles', () => {
  it('read yes and no strictly, and anything else as unknown', async () => {
    const statuses = [true, 1, '1', 'true', false, 0, '0', 'false', null, 'on', 2];
    const rows = statuses.map((status, index) => ({ id: index + 1, name: 'Same', status }));
    const listing = await observeToggles(await readerOf(JSON.stringify(rows)));
    expect(listing.kind === 'observed' ? listing.items.map(({ status }) => status) : null).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
      null,
      null,
      null,
    ]);
    expect(listing).toMatchObject({ defects: [] });
  });

  it('that come as an object are no listing', async () => {
    expect(await observeToggles(await readerOf('{"message": "x"}'))).toMatchObject({ kind: 'missed' });
  });

  it('twice under one id, or without one, make the listing incomplete', async () => {
    const rows = [
      { id: 1, name: 'a', status: true },
      { id: 1, name: 'b', status: true },
      { name: 'c', status: true },
    ];
    const listing = await observeToggles(await readerOf(JSON.stringify(rows)));
    expect(listing).toMatchObject({ items: [{ id: '1', name: 'a' }] });
    expect(listing.kind === 'observed' ? listing.defects.map(({ key }) => key) : null).toEqual([
      'toggles.unusable:1',
      'toggles.repeated:1',
    ]);
  });
});

it('registrations of an account share equal devices, whatever address of its own a telephone names', async () => {
  const other = { ...ROW, user_id: '102', user_agent: 'Yealink SIP-T46S 66.86.0.15 805ec0654321' };
  const newer = { ...ROW, user_id: '103', user_agent: 'Yealink SIP-T46S 66.86.0.99' };
  const listed = await observeRegistrations(
    await readerOf(JSON.stringify({ '101': [ROW], '102': [other], '103': [newer] })),
  );
  const devices = listed.kind === 'observed' ? listed.items.map(({ contacts }) => contacts[0]?.device) : [];
  expect(devices).toEqual([CONTACT.device, CONTACT.device, { model: 'Yealink SIP-T46S', firmware: '66.86.0.99' }]);
  expect(devices[1]).toBe(devices[0]);
});

it('registrations of several accounts share equal devices', async () => {
  const devices: unknown[] = [];
  for (const user_agent of [
    'Yealink SIP-T33G 124.86.0.40 00:15:65:AB:CD:EF',
    'Yealink SIP-T33G 124.86.0.40',
    'Fanvil X4',
  ]) {
    const listed = await observeRegistrations(await readerOf(JSON.stringify({ '101': [{ ...ROW, user_agent }] })));
    devices.push(listed.kind === 'observed' ? listed.items[0]?.contacts[0]?.device : null);
  }
  expect(devices[1]).toBe(devices[0]);
  expect(devices).toEqual([
    devices[0],
    { model: 'Yealink SIP-T33G', firmware: '124.86.0.40' },
    { model: 'Fanvil X4', firmware: null },
  ]);
});

it('extensions whose rows lack an id or a number are there by the other', async () => {
  const rows = [{ id: 9, user_id: '101' }, { id: null, user_id: '102' }, { id: 11, user_id: null }, { name: 'Nobody' }];
  const listing = await observeExtensions(await readerOf(JSON.stringify(rows)));
  expect(listing).toMatchObject({
    items: [{ id: '9', number: '101' }],
    defects: [{ key: 'extensions.unusable:3' }],
    unusable: ['102', '11'],
  });
});

it('extensions are known by number and name, and their secrets are dropped', async () => {
  const rows = [{ id: 9, user_id: '101', name: 'Reception', vm_password: '4711' }];
  const listing = await observeExtensions(await readerOf(JSON.stringify(rows)));
  expect(listing).toMatchObject({ items: [{ id: '9', number: '101', name: 'Reception' }], defects: [] });
  expect(JSON.stringify(listing)).not.toContain('4711');
});
