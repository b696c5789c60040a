/** Every operation of the account catalogue is answered, and in its documented shape. */
import { expect, test } from 'vitest';
import { readAnswer } from '../../src/provider/answer.ts';
import { type AccountOperationId, accountCatalogue } from '../../src/provider/catalogue/account-catalogue.ts';
import type { actionToggles } from '../../src/provider/catalogue/action-toggles.ts';
import type { Operation } from '../../src/provider/operation.ts';
import type { Answers } from '../../src/simulator/simulated-reply.ts';
import { type AccountClient, accountClient } from './support/account-client.ts';

const DATES = { start_date: '2026-02-20 00:00:00', end_date: '2026-03-02 23:59:59' };
const MONTH = { time_period: 'last_month' };
const EXTENSION = {
  name: 'New',
  area_code: 613,
  timezone: 'Australia/Melbourne',
  customer_location_id: 1,
  emergency_dial_number: '000',
  password: 'planted-secret',
  user_id: 2001,
};

/** What each operation is asked with; values of the path are taken out of it. A forgotten one does not compile. */
const INPUTS: Record<
  AccountOperationId,
  Record<string, unknown> | ((client: AccountClient) => Record<string, unknown>)
> = {
  'billing.calls.outgoing.list': DATES,
  'billing.calls.collection.list': DATES,
  'order-numbers.locality.list': { country_iso: 'AU' },
  'order-numbers.numbers.list': { country_iso: 'au', locality_id: 'Melbourne' },
  'order-numbers.assign': ({ provider }) => {
    const [free] = provider.accounts.account().world.numbers.free('Sydney (02)');
    return { number_id: free?.numberId, supply_uuid: free?.supplyUuid };
  },
  'order-numbers.cancel': { number: '61390004105' },
  'originate.call-connect': { phone_number: 61400000001, caller_id: 61390004100, dialplan_number: 500 },
  'action-toggles.list': {},
  'action-toggles.create': { name: 'New' },
  'action-toggles.show': { action_toggle: 301 },
  'action-toggles.update': { action_toggle: 301, status: true },
  'action-toggles.delete': { action_toggle: 302 },
  'call-recordings.list': MONTH,
  'call-transcripts.list': MONTH,
  'call-transcripts.download-vtt': ({ provider }) => {
    const call = provider.accounts
      .account()
      .world.calls()
      .ended()
      .find(({ recordingUuid }) => recordingUuid !== null);
    return { transcript_id: 600_000 + ((call?.id ?? 0) % 1_000_000) };
  },
  'extensions.list': {},
  'extensions.create': EXTENSION,
  'extensions.show': { extension: 40_001 },
  'extensions.update': { extension: 40_001, name: 'Other' },
  'extensions.delete': { extension: 40_005 },
  'phonebook.list': {},
  'phonebook.create': { name: 'New' },
  'phonebook.show': { phonebook: 71 },
  'phonebook.update': { phonebook: 71, name: 'Clients' },
  'phonebook.delete': { phonebook: 72 },
  'phonebook.items.list': { phonebook_id: 71 },
  'phonebook.items.create': { phonebook_id: 71, name: 'New', mobile: '0400000000' },
  'phonebook.items.show': { phonebook_id: 71, item: 9001 },
  'phonebook.items.update': { phonebook_id: 71, item: 9001, name: 'Other' },
  'phonebook.items.delete': { phonebook_id: 71, item: 9002 },
  'registrations.list': {},
  'registrations.delete': { registration: 40_001 },
  'reports.incoming-calls-external-numbers.list': MONTH,
  'reports.outgoing-calls.list': MONTH,
  'reports.answered-extensions.list': MONTH,
  'reports.incoming-answered-vs-missed.show': { ...MONTH, 'exclude_did_numbers[]': '61390004100', ignore_seconds: 5 },
  'reports.missed-calls.list': MONTH,
  'reports.agent-availability.list': { time_period: 'today', 'agent_ids[]': '1002' },
  'skillsets.agent-status.list': {},
  'skillsets.agent-status.show': { agent_status: 'Support' },
  'sms.send': { from: '+61480012345', to: '+61400000000', body: 'Hello' },
  'voicemail-extensions.list': {},
  'voicemail-extensions.create': { name: 'New', vm_password: 1234 },
  'voicemail-extensions.show': { voicemail_extension: 52_001 },
  'voicemail-extensions.update': { voicemail_extension: 52_001, vm_password: '0123' },
  'voicemail-extensions.delete': { voicemail_extension: 52_001 },
  'voicemail.list': {},
  'voicemail.show': ({ provider }) => ({ voicemail: provider.accounts.account().world.messages.all()[0]?.uuid }),
  'voicemail.delete': ({ provider }) => ({ voicemail: provider.accounts.account().world.messages.all()[0]?.uuid }),
};

function request(operation: Operation, input: Record<string, unknown>): { path: string; body: unknown } {
  const rest = { ...input };
  const path = operation.path.replace('/api/v1', '').replaceAll(/\{(?<name>\w+)\}/g, (_all, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  if (operation.verbs[0] !== 'GET') return { path, body: rest };
  const query = new URLSearchParams(Object.entries(rest).map(([name, value]) => [name, String(value)])).toString();
  return { path: query === '' ? path : `${path}?${query}`, body: undefined };
}

const CASES = Object.values<Operation>(accountCatalogue).flatMap((operation) =>
  operation.verbs.map((verb) => ({ operation, verb })),
);

test.each(CASES)('$verb $operation.id', async ({ operation, verb }) => {
  const client = accountClient();
  const input = INPUTS[operation.id as AccountOperationId];
  const { path, body } = request(operation, typeof input === 'function' ? input(client) : input);
  const said = await client.ask(verb, path, body);
  expect([said.status, said.body]).toEqual([200, expect.anything()]);
  expect(client.provider.log.all()[0]).toMatchObject({ operation: operation.id, authorized: true });
  if (operation.resultKind === 'json') {
    expect(readAnswer(operation.result, said.body)).toMatchObject({ kind: 'read', oddities: [] });
  } else {
    expect(said.headers.get('content-type')).toContain(operation.resultKind);
    expect(said.headers.get('content-disposition')).toContain('attachment');
    expect(said.body).toMatch(/^WEBVTT\n\n1\n00:00:00\.000 --> \d\d:\d\d:\d\d\.\d{3}\n<v [^>]+>/);
  }
  expect(JSON.stringify(said.body)).not.toContain('planted-secret');
});

test('lists of the made-up world are not empty, so that their shapes have been seen', async () => {
  const { get } = accountClient();
  for (const path of [
    '/billing/calls/outgoing/2026-02-01%2000:00:00/2026-02-28%2000:00:00',
    '/billing/calls/collection/2026-02-01%2000:00:00/2026-02-28%2000:00:00',
    '/pbx/call-recordings?time_period=last_month',
    '/pbx/reports/incoming-calls-external-numbers?time_period=last_month',
    '/pbx/reports/agent-availability',
    '/pbx/voicemail',
  ]) {
    expect([path, (await get<unknown[]>(path)).length]).toEqual([path, expect.toSatisfy((size: number) => size > 1)]);
  }
});

test('a forgotten operation and a wrong result do not compile', () => {
  type Toggles = Answers<typeof actionToggles>;
  const remove: Toggles['action-toggles.delete'] = () => ({ status: 'success' });
  // @ts-expect-error: four of the five operations are missing.
  const forgotten: Toggles = { 'action-toggles.delete': remove };
  // @ts-expect-error: the documented result is `{id}`.
  const wrong: Toggles['action-toggles.create'] = () => ({ ids: 1 });
  expect([Object.keys(forgotten), typeof wrong]).toEqual([['action-toggles.delete'], 'function']);
});
