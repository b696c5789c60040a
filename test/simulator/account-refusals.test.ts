import { describe, expect, test } from 'vitest';
import { accountClient } from './support/account-client.ts';

describe('credentials', () => {
  test.each([undefined, 'Bearer wrong', 'Basic c2ltdWxhdGVk', 'Bearer'])('with %j it is 401', async (authorization) => {
    const { provider } = accountClient();
    const response = await provider.app.request('/api/v1/pbx/extensions', {
      headers: authorization === undefined ? {} : { authorization },
    });
    expect([response.status, await response.json()]).toEqual([401, { message: 'Unauthenticated.' }]);
  });

  test('a token that is withdrawn is refused, another one counts', async () => {
    const { provider, ask } = accountClient();
    provider.accounts.account().token = null;
    expect((await ask('GET', '/pbx/extensions')).status).toBe(401);
    provider.accounts.account().token = 'another';
    expect((await ask('GET', '/pbx/extensions')).status).toBe(200);
  });

  test('each token sees its own account', async () => {
    const { provider, ask } = accountClient({ accounts: [{ extensions: 5 }, { extensions: 9, token: 'second' }] });
    expect((await ask('GET', '/pbx/extensions')).body).toHaveLength(5);
    const response = await provider.app.request('/api/v1/pbx/extensions', {
      headers: { authorization: 'Bearer second' },
    });
    expect(await response.json()).toHaveLength(9);
  });

  test('the status interface asks for none', async () => {
    expect((await accountClient().provider.app.request('/api/v1/status')).status).toBe(200);
  });
});

test.each([
  ['GET', '/pbx/extensions/1'],
  ['PUT', '/pbx/extensions/1'],
  ['DELETE', '/pbx/extensions/1'],
  ['GET', '/pbx/action-toggles/1'],
  ['PATCH', '/pbx/action-toggles/1'],
  ['GET', '/pbx/phonebook/1/items'],
  ['GET', '/pbx/phonebook/71/items/1'],
  ['DELETE', '/pbx/registrations/1'],
  ['GET', '/pbx/skillsets/agent-status/Nobody'],
  ['GET', '/pbx/voicemail/none'],
  ['GET', '/pbx/call-transcripts/download-vtt/1'],
  ['GET', '/pbx/extensions/abc'],
  ['GET', '/pbx/registration'],
])('%s %s is 404 with a message', async (verb, path) => {
  const said = await accountClient().ask(verb, path, verb === 'GET' ? undefined : {});
  expect([said.status, said.body]).toEqual([404, { message: expect.any(String) as string }]);
});

test('a wrong verb is 405 and says which are right', async () => {
  const said = await accountClient().ask('PUT', '/pbx/action-toggles', {});
  expect([said.status, said.headers.get('allow')]).toEqual([405, 'GET, POST']);
});

describe('422 names each field', () => {
  test.each<[string, string, unknown, string]>([
    ['POST', '/pbx/action-toggles', {}, 'name'],
    ['POST', '/pbx/extensions', { name: 'x' }, 'user_id'],
    ['PUT', '/pbx/extensions/40001', { agent_wrap_time: 4 }, 'agent_wrap_time'],
    ['PUT', '/pbx/extensions/40001', { vm_password: 12 }, 'vm_password'],
    ['PUT', '/pbx/extensions/40001', { caller_id: 61400000000 }, 'caller_id'],
    ['PUT', '/pbx/extensions/40001', { user_id: 1002 }, 'user_id'],
    ['PUT', '/pbx/extensions/40001', { customer_location_id: 99 }, 'customer_location_id'],
    ['PUT', '/pbx/extensions/40001', { emergency_dial_number: 112 }, 'emergency_dial_number'],
    ['POST', '/pbx/originate/call-connect', { phone_number: 1, caller_id: 2, dialplan_number: 3 }, 'caller_id'],
    ['POST', '/pbx/voicemail-extensions', { user_id: 1001 }, 'user_id'],
    ['GET', '/pbx/reports/outgoing-calls?start_time=0&end_time=2764800', undefined, 'end_time'],
    ['GET', '/pbx/reports/outgoing-calls?time_period=last_year', undefined, 'time_period'],
    ['GET', '/billing/calls/outgoing/2026-02-30%2000:00:00/2026-03-01%2000:00:00', undefined, 'start_date'],
  ])('%s %s with %j: %s', async (verb, path, body, field) => {
    const said = await accountClient().ask(verb, path, body);
    expect(said).toMatchObject({ status: 422, body: { message: expect.any(String) as string } });
    expect(said.body).toHaveProperty(['errors', field, 0], expect.any(String));
  });

  test('the message counts the others', async () => {
    expect((await accountClient().ask('POST', '/pbx/extensions', { name: 'x', user_id: 2000 })).body).toMatchObject({
      message: 'The area code field is required. (and 4 more errors)',
    });
  });
});

test('the two documented errors are plain JSON strings', async () => {
  const { ask } = accountClient();
  for (const from of ['+61390004100', '+61400000000']) {
    const said = await ask('POST', '/pbx/sms/send', { from, to: '+61400000001', body: 'x' });
    expect([said.status, typeof said.body]).toEqual([400, 'string']);
  }
  const said = await ask('GET', '/pbx/voicemail-extensions/1');
  expect([said.status, typeof said.body]).toEqual([404, 'string']);
});

test('a number is assigned once, and a refusal is a 200 that says so', async () => {
  const { ask, get } = accountClient();
  type Free = { number_id: string; supply_uuid: string; number: number };
  const [free] = await get<Free[]>('/order-numbers/numbers/AU/Perth');
  const wanted = { number_id: free?.number_id, supply_uuid: free?.supply_uuid };
  expect((await ask('POST', '/order-numbers/assign', { ...wanted, supply_uuid: 'other' })).body).toMatchObject({
    error: '1',
  });
  expect((await ask('POST', '/order-numbers/assign', wanted)).body).toMatchObject({ error: '0' });
  expect(await ask('POST', '/order-numbers/assign', wanted)).toMatchObject({ status: 200, body: { error: '1' } });
  expect((await get<Free[]>('/order-numbers/numbers/AU/Perth')).map(({ number }) => number)).not.toContain(
    free?.number,
  );
  const cancel = `/order-numbers/cancel/61${free?.number}`;
  expect((await ask('DELETE', cancel)).body).toMatchObject({ error: '0' });
  expect((await ask('DELETE', cancel)).body).toMatchObject({ error: '1' });
});

test('a request that a fault answers is not carried out', async () => {
  const { provider, ask } = accountClient();
  provider.faults.add({ on: 'sms.send', times: 1, fault: { kind: 'status', status: 503 } });
  const message = { from: '+61480012345', to: '+61400000000', body: 'x' };
  expect((await ask('POST', '/pbx/sms/send', message)).status).toBe(503);
  expect(provider.accounts.account().world.sent).toEqual([]);
  await ask('POST', '/pbx/sms/send', message);
  expect(provider.accounts.account().world.sent).toMatchObject([message]);
});
