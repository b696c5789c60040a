import { expect, test } from 'vitest';
import { type AccountClient, accountClient } from './support/account-client.ts';

async function control({ provider }: AccountClient, name: string, body: unknown): Promise<Record<string, unknown>> {
  const response = await provider.app.request(`/_control/${name}`, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, ...((await response.json()) as object) };
}

const registered = async ({ get }: AccountClient): Promise<number> =>
  Object.keys(await get<object>('/pbx/registrations')).length;

test('phones are lost, rebooted, moved and changed by curl', async () => {
  const client = accountClient({ accounts: [{ extensions: 20, phoneShares: { without: 0, second: 0 } }] });
  expect(await control(client, 'lose_phones', { site: 'Richmond', count: 4 })).toEqual({
    status: 200,
    done: true,
    phones: 4,
  });
  expect(await registered(client)).toBe(16);
  await control(client, 'return_phones', {});
  await control(client, 'lose_phones', { extension: 1001, returns_in: '10s' });
  expect(await registered(client)).toBe(19);
  client.pass(10_000);
  expect(await registered(client)).toBe(20);
  await control(client, 'reboot_phones', { extension: ['1001', 1002] });
  await control(client, 'miss_phones', { extension: 1003 });
  expect(await registered(client)).toBe(17);
  client.pass(30_000);
  await control(client, 'upgrade_phones', { extension: 1001, firmware: '99.9' });
  await control(client, 'move_phones', { extension: 1002, address: '192.0.2.1' });
  await control(client, 'phone_agent', { extension: 1003, user_agent: 'odd' });
  expect(await client.get('/pbx/registrations')).toMatchObject({
    '1001': [{ user_agent: expect.stringContaining('99.9') as string }],
    '1002': [{ external_ipaddress: '192.0.2.1' }],
    '1003': [{ user_agent: 'odd' }],
  });
  expect(await control(client, 'lose_phones', { site: 'Mars' })).toEqual({
    status: 400,
    error: 'No phone matches {"site":"Mars"}.',
  });
});

test('toggles, agents, calls, tokens and quirks', async () => {
  const client = accountClient();
  await control(client, 'toggle', { toggle: 'After hours', status: 'false' });
  await control(client, 'add_toggle', { name: 'Storm' });
  await control(client, 'rename_toggle', { toggle: 302, name: 'Holiday' });
  await control(client, 'remove_toggle', { toggle: 303 });
  expect(await client.get('/pbx/action-toggles')).toEqual([
    { id: 301, name: 'After hours', status: 'false' },
    { id: 302, name: 'Holiday', status: false },
    { id: 304, name: 'Play delay message', status: true },
    { id: 305, name: 'Storm', status: false },
  ]);
  await control(client, 'agent_status', { extension: 1002, status: 'On Break' });
  expect(await client.get('/pbx/extensions/40002')).toMatchObject({ agent_status: 'On Break' });
  const call = {
    direction: 'incoming',
    from: 61400111222,
    did: '61390004100',
    rings: [1001],
    wait: '12s',
    ended_ago: '5m',
  };
  expect(await control(client, 'place_call', call)).toMatchObject({ status: 200, uuid: expect.any(String) as string });
  expect(Object.values(await client.get<object>('/pbx/reports/missed-calls')).at(-1)).toMatchObject({
    from: '61400111222',
    wait_sec: 12,
  });
  await control(client, 'quirks', { lone_registration_as_object: true });
  expect(client.provider.accounts.account().world.quirks).toEqual({
    emptyMapAsList: true,
    loneRegistrationAsObject: true,
  });
  await control(client, 'token', { token: null });
  expect((await client.ask('GET', '/pbx/phonebook')).status).toBe(401);
  expect(await control(client, 'toggle', { account: 'other', toggle: 301, status: true })).toEqual({
    status: 400,
    error: 'There is no account "other"; there are account-1.',
  });
});
