/** Records are created, changed and deleted, and show up where they belong. */
import { describe, expect, test } from 'vitest';
import { accountClient } from './support/account-client.ts';

describe('digits are taken as number and as text, switches in all their forms', () => {
  test.each([
    [
      { vm_password: 1234, caller_id: 61390004101 },
      { vm_password: '1234', caller_id: 61390004101 },
    ],
    [
      { vm_password: '0123', caller_id: '61390004101' },
      { vm_password: '0123', caller_id: 61390004101 },
    ],
    [
      { voicemail: 0, agent_mode: '1' },
      { voicemail: 0, agent_mode: 1, agent_status: 'Logged Out' },
    ],
    [
      { voicemail: true, ndlb: false },
      { voicemail: 1, ndlb: 0 },
    ],
    [{ vm_delay: '35' }, { vm_delay: 35 }],
    [{ tolls: ['international'], voicemail_emails: ['a@example.com'] }, { tolls: ['international'] }],
  ])('%j', async (changes, shown) => {
    const { ask, get } = accountClient();
    expect(await ask('PUT', '/pbx/extensions/40001', changes)).toMatchObject({
      status: 200,
      body: { extension_id: 40_001 },
    });
    expect(await get('/pbx/extensions/40001')).toMatchObject(shown);
  });
});

test('an extension from its creation to its end', async () => {
  const { ask, get } = accountClient({ accounts: [{ extensions: 5 }] });
  const created = await ask('POST', '/pbx/extensions', {
    name: 'Reception',
    area_code: '613',
    timezone: 'Australia/Perth',
    customer_location_id: '1',
    emergency_dial_number: '000',
    password: 'planted-secret',
    user_id: 2001,
  });
  expect(created.body).toEqual({ extension_id: 40_006 });
  const extension = await get<Record<string, unknown>>('/pbx/extensions/40006');
  expect(extension).toMatchObject({
    user_id: '2001',
    name: 'Reception',
    emergency_dial_number: '000',
    area_code: '613',
  });
  expect(extension).not.toHaveProperty('agent_uuid');
  expect(extension).not.toHaveProperty('password');
  const list = await get<Record<string, unknown>[]>('/pbx/extensions');
  expect(list).toHaveLength(6);
  expect(list[5]).toHaveProperty('agent_uuid', null);
  expect((await ask('DELETE', '/pbx/extensions/40006')).body).toEqual({ status: 'success' });
  expect((await ask('GET', '/pbx/extensions/40006')).status).toBe(404);
});

test('a renumbered extension takes its phone along, a deleted one loses it', async () => {
  const { ask, get } = accountClient({ accounts: [{ extensions: 5, phoneShares: { without: 0, second: 0 } }] });
  await ask('PATCH', '/pbx/extensions/40001', { user_id: 3001 });
  await ask('DELETE', '/pbx/extensions/40002');
  const held = await get<Record<string, { user_id: string }[]>>('/pbx/registrations');
  expect(Object.keys(held)).toEqual(['1003', '1004', '1005', '3001']);
  expect(held['3001']?.[0]?.user_id).toBe('3001');
});

test('an agent that changes status is counted in its skillsets and in the availability report', async () => {
  const { ask, get, pass } = accountClient();
  const agents = async (status: string): Promise<number> =>
    (await get<{ status_counts: Record<string, number> }>('/pbx/skillsets/agent-status/21')).status_counts[status] ??
    -1;
  await ask('PUT', '/pbx/extensions/40002', { agent_status: 'On Break' });
  const before = await agents('Available');
  pass(60_000);
  await ask('PUT', '/pbx/extensions/40002', { agent_status: 'Available' });
  expect(await agents('Available')).toBe(before + 1);
  pass(30_000);
  const rows = await get<Record<string, unknown>[]>(
    '/pbx/reports/agent-availability?agent_ids[]=1002&agent_statuses[]=Available&timezone=UTC',
  );
  expect(rows.at(-1)).toMatchObject({
    user_id: 1002,
    status: 'Available',
    date_time: '2026-03-02 09:01:00',
    timezone: 'UTC',
    duration: 30,
  });
  expect((await get<{ agents: object }>('/pbx/skillsets/agent-status/Sales')).agents).not.toEqual({});
});

test('toggles: created off, switched, renamed, deleted, and twice the same name', async () => {
  const { ask, get } = accountClient();
  expect((await ask('POST', '/pbx/action-toggles', { name: 'Storm' })).body).toEqual({ id: 305 });
  expect((await ask('POST', '/pbx/action-toggles', { name: 'Storm', status: 1 })).body).toEqual({ id: 306 });
  expect((await ask('PUT', '/pbx/action-toggles/305', { status: '1' })).body).toEqual({
    id: 305,
    name: 'Storm',
    status: true,
  });
  expect((await ask('PATCH', '/pbx/action-toggles/306', { name: 'Flood' })).body).toEqual({
    id: 306,
    name: 'Flood',
    status: true,
  });
  await ask('DELETE', '/pbx/action-toggles/301');
  expect((await get<{ id: number }[]>('/pbx/action-toggles')).map(({ id }) => id)).toEqual([302, 303, 304, 305, 306]);
});

test('a toggle may say anything', async () => {
  const { provider, get } = accountClient();
  for (const status of ['0', 1, null, 'false']) {
    provider.accounts.account().world.setToggle('After hours', status);
    expect(await get('/pbx/action-toggles/301')).toEqual({ id: 301, name: 'After hours', status });
  }
});

test('phonebooks name callers in reports', async () => {
  const { provider, ask, get } = accountClient();
  const { body } = await ask('POST', '/pbx/phonebook', { name: 'VIP' });
  const id = (body as { id: number }).id;
  const item = await ask('POST', `/pbx/phonebook/${id}/items`, { name: 'Aunt May', mobile: '61400111222' });
  const itemId = (item.body as { id: number }).id;
  expect(await get(`/pbx/phonebook/${id}/items/${itemId}`)).toEqual({
    id: itemId,
    name: 'Aunt May',
    office: '',
    office2: null,
    mobile: '61400111222',
    home: null,
    other: null,
  });
  const uuid = provider.accounts.account().world.placeCall({
    direction: 'incoming',
    from: '61400111222',
    did: '61390004100',
    rings: ['1001'],
    answeredBy: '1001',
  });
  const report = await get<{ uuid: string; phonebook_name: string }[]>('/pbx/reports/answered-extensions');
  expect(report.find((row) => row.uuid === uuid)?.phonebook_name).toBe('Aunt May');
  expect((await ask('PUT', `/pbx/phonebook/${id}/items/${itemId}`, { name: 'May' })).body).toEqual({
    status: 'success',
    id: String(itemId),
  });
  expect(typeof (await ask('PUT', `/pbx/phonebook/${id}`, { name: 'Family' })).body).toBe('string');
  await ask('DELETE', `/pbx/phonebook/${id}/items/${itemId}`);
  expect(await get(`/pbx/phonebook/${id}/items`)).toEqual([]);
});

test('voicemail extensions: the zone is shown alone only, a number is taken once', async () => {
  const { ask, get } = accountClient();
  const [listed] = await get<Record<string, unknown>[]>('/pbx/voicemail-extensions');
  expect(listed).not.toHaveProperty('timezone');
  expect(await get('/pbx/voicemail-extensions/52001')).toMatchObject({
    timezone: 'Australia/Melbourne',
    user_id: '7000',
  });
  expect((await ask('POST', '/pbx/voicemail-extensions', { user_id: 7000 })).status).toBe(422);
  expect((await ask('PUT', '/pbx/voicemail-extensions/52001', { user_id: 7000, vm_password: 1 })).status).toBe(422);
  expect((await ask('PUT', '/pbx/voicemail-extensions/52001', { user_id: 7000, name: 'Same number' })).status).toBe(
    200,
  );
});
