/** Calls show up as late as the world says, with the causes it gives, and a bill may be corrected. */
import { describe, expect, test } from 'vitest';
import { type AccountClient, accountClient } from './support/account-client.ts';

const WINDOW = 'start_time=1772150400&end_time=1772535600';
const DATES = '2026-03-02%2000:00:00/2026-03-04%2000:00:00';
const MINUTE = 60_000;

async function control({ provider }: AccountClient, name: string, body: object): Promise<Record<string, unknown>> {
  const response = await provider.app.request(`/_control/${name}`, { method: 'POST', body: JSON.stringify(body) });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

interface Row {
  uuid: string;
  charge: number;
  extensions: Record<string, { hangup_cause: string }>;
  dialplan_name: string;
}

async function missedOf(client: AccountClient, uuid: unknown): Promise<Row | undefined> {
  const rows = await client.get<Record<string, Row>>(`/pbx/reports/missed-calls?${WINDOW}`);
  return Object.values(rows).find((row) => row.uuid === uuid);
}

async function chargesOf(client: AccountClient, uuid: unknown): Promise<number[]> {
  const rows = await client.get<Row[]>(`/billing/calls/outgoing/${DATES}`);
  return rows.filter((row) => row.uuid === uuid).map(({ charge }) => charge);
}

const CALLER = { direction: 'incoming', from: '0412345209', did: '1300555019', rings: ['1001'] };
const OUTGOING = { direction: 'outgoing', extension: 1001, caller_id: 61390004100, to: 61398765432 };

describe('missed calls', () => {
  test('ring with the cause, dialplan and condition that a story gives them', async () => {
    const client = accountClient();
    const story = { ...CALLER, cause: 'USER_NOT_REGISTERED', dialplan: 'Clinic' };
    const { uuid } = await control(client, 'place_call', story);
    expect(await missedOf(client, uuid)).toMatchObject({
      dialplan_name: 'Clinic',
      extensions: { '1001': { hangup_cause: 'USER_NOT_REGISTERED' } },
    });
    const { uuid: plain } = await control(client, 'place_call', CALLER);
    expect(await missedOf(client, plain)).toMatchObject({
      dialplan_name: 'Main line',
      extensions: { '1001': { hangup_cause: 'ORIGINATOR_CANCEL' } },
    });
  });

  test('are reported as late as each says, or as all of the account are', async () => {
    const client = accountClient();
    const { uuid } = await control(client, 'place_call', { ...CALLER, reported_after: '10m' });
    client.pass(9 * MINUTE);
    expect(await missedOf(client, uuid)).toBeUndefined();
    client.pass(MINUTE);
    expect(await missedOf(client, uuid)).toBeDefined();
    await control(client, 'lateness', { reports: '10m' });
    const { uuid: late } = await control(client, 'place_call', CALLER);
    client.pass(10 * MINUTE);
    expect(await missedOf(client, late)).toBeDefined();
  });

  test('that fail before the account are in no report', async () => {
    const client = accountClient();
    await control(client, 'lateness', { unreported: true });
    const { uuid } = await control(client, 'place_call', CALLER);
    await control(client, 'lateness', { unreported: false });
    const { uuid: next } = await control(client, 'place_call', CALLER);
    expect(await missedOf(client, uuid)).toBeUndefined();
    expect(await missedOf(client, next)).toBeDefined();
  });

  test('are not seen while the reports stand still', async () => {
    const client = accountClient();
    await control(client, 'lateness', { still: true });
    client.pass(MINUTE);
    const { uuid } = await control(client, 'place_call', CALLER);
    expect(await missedOf(client, uuid)).toBeUndefined();
    await control(client, 'lateness', { still: false });
    expect(await missedOf(client, uuid)).toBeDefined();
  });
});

describe('charges', () => {
  test('come late, change, and may be listed twice', async () => {
    const client = accountClient();
    const { uuid } = await control(client, 'place_call', { ...OUTGOING, billed_after: '20h' });
    client.pass(19 * 60 * MINUTE);
    expect(await chargesOf(client, uuid)).toEqual([]);
    client.pass(60 * MINUTE);
    expect(await chargesOf(client, uuid)).toEqual([0.08]);
    await control(client, 'correct_charge', { uuid, charge: -1.25, twice: true });
    expect(await chargesOf(client, uuid)).toEqual([-1.25, -1.25]);
  });

  test('of a night of fraud show up call by call', async () => {
    const client = accountClient();
    const given = { extension: 1012, caller_id: 61390004100, calls: 4, over: '40m', talk: '5m' };
    const { uuids } = await control(client, 'fraud', given);
    const called = uuids as string[];
    client.pass(5 * MINUTE);
    expect(await chargesOf(client, called[0])).toEqual([5.35]);
    expect(await chargesOf(client, called[1])).toEqual([]);
    client.pass(30 * MINUTE);
    expect(await chargesOf(client, called[3])).toEqual([5.35]);
  });
});
