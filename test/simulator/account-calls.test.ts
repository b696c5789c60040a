/** One call shows up consistently wherever calls are told, billed or counted. */
import { describe, expect, test } from 'vitest';
import { type AccountClient, accountClient } from './support/account-client.ts';
import type { CallStory } from '../../src/simulator/account/call-book.ts';

type Row = Record<string, unknown> & { uuid: string };
interface Everywhere {
  charges: Row[];
  collection: (Record<string, unknown> & { unique_id: number })[];
  outgoing: Row[];
  answered: Row[];
  external: Row[];
  missed: Record<string, Row>;
  comparison: Record<string, number & number[]>;
  recordings: Row[];
  transcripts: Record<string, unknown>[];
  voicemail: Row[];
}

const WINDOW = 'start_time=1772150400&end_time=1772535600';

async function everywhere({ get }: AccountClient): Promise<Everywhere> {
  const dates = '2026-02-27%2011:00:00/2026-03-03%2021:59:59';
  return {
    charges: await get(`/billing/calls/outgoing/${dates}`),
    collection: await get(`/billing/calls/collection/${dates}`),
    outgoing: await get(`/pbx/reports/outgoing-calls?${WINDOW}`),
    answered: await get(`/pbx/reports/answered-extensions?${WINDOW}`),
    external: await get(`/pbx/reports/incoming-calls-external-numbers?${WINDOW}`),
    missed: await get(`/pbx/reports/missed-calls?${WINDOW}`),
    comparison: await get(`/pbx/reports/incoming-answered-vs-missed?${WINDOW}`),
    recordings: await get(`/pbx/call-recordings?${WINDOW}`),
    transcripts: await get(`/pbx/call-transcripts?${WINDOW}`),
    voicemail: await get('/pbx/voicemail'),
  };
}

/** What a world says after a call that it did not say before. */
async function newAfter(story: CallStory): Promise<Record<string, unknown[]>> {
  const client = accountClient();
  const before = await everywhere(client);
  client.provider.accounts.account().world.placeCall(story);
  const after = await everywhere(client);
  const isNew = (list: readonly unknown[]) => {
    const known = new Set(list.map((row) => JSON.stringify(row)));
    return (row: unknown): boolean => !known.has(JSON.stringify(row));
  };
  const difference = (name: 'total_answered' | 'total_missed' | 'total_missed_vm'): number =>
    (after.comparison[name] ?? 0) - (before.comparison[name] ?? 0);
  return {
    charges: after.charges.filter(isNew(before.charges)),
    collection: after.collection.filter(isNew(before.collection)),
    outgoing: after.outgoing.filter(isNew(before.outgoing)),
    answered: after.answered.filter(isNew(before.answered)),
    external: after.external.filter(isNew(before.external)),
    missed: Object.values(after.missed).filter(isNew(Object.values(before.missed))),
    totals: [difference('total_answered'), difference('total_missed'), difference('total_missed_vm')],
    recordings: after.recordings.filter(isNew(before.recordings)),
    transcripts: after.transcripts.filter(isNew(before.transcripts)),
    voicemail: after.voicemail.filter(isNew(before.voicemail)),
  };
}

const NOTHING = {
  charges: [],
  collection: [],
  outgoing: [],
  answered: [],
  external: [],
  missed: [],
  totals: [0, 0, 0],
  recordings: [],
  transcripts: [],
  voicemail: [],
};
const INCOMING = { direction: 'incoming', from: '61400111222', did: '61390004100', rings: ['1001', '1002'] } as const;
const ENDED = Date.parse('2026-03-02T09:00:00Z') / 1000;

describe('a call', () => {
  test('that goes out is reported and charged by its length', async () => {
    expect(
      await newAfter({
        direction: 'outgoing',
        extension: '1001',
        callerId: '61390004100',
        to: '61400111222',
        talkSeconds: 90,
        waitSeconds: 5,
      }),
    ).toEqual({
      ...NOTHING,
      charges: [
        expect.objectContaining({
          from: '61390004100',
          to: '61400111222',
          seconds: 90,
          charge: 0.165,
          start_time: '2026-03-02 19:58:30',
          end_time: '2026-03-02 20:00:00',
          transferred_call: false,
          parent_uuid: null,
        }),
      ],
      outgoing: [
        expect.objectContaining({
          talk_duration: 90,
          duration: 95,
          answer_epoch: ENDED - 90,
          end_epoch: ENDED,
          created_time: ENDED - 95,
          end_stamp: 'Mon, 02 Mar 2026 20:00:00 +1100',
          rate_digits: 614,
          rate_name: 'Australia Mobile',
        }),
      ],
    });
  });

  test('that nobody outside takes costs nothing', async () => {
    expect(
      await newAfter({
        direction: 'outgoing',
        extension: '1001',
        callerId: '61390004100',
        to: '61400111222',
        answered: false,
      }),
    ).toEqual({
      ...NOTHING,
      outgoing: [expect.objectContaining({ talk_duration: 0, answer_epoch: 0, hangup_case: 'NO_ANSWER' })],
    });
  });

  test('that an extension takes is answered and, if so told, recorded and transcribed', async () => {
    const told = await newAfter({
      ...INCOMING,
      answeredBy: '1002',
      skillset: 'Support',
      recorded: true,
      talkSeconds: 40,
    });
    expect(told).toEqual({
      ...NOTHING,
      answered: [
        expect.objectContaining({
          to: '1002',
          from: '61400111222',
          external_did: 61390004100,
          skillset_name: 'Support',
          talk_duration: 40,
          record_uuid: expect.any(String) as string,
        }),
      ],
      totals: [1, 0, 0],
      recordings: [
        expect.objectContaining({ caller_id: '61400111222', destination: '1002', duration: 40, wav_size: 640_044 }),
      ],
      transcripts: [expect.objectContaining({ duration: 40, destination: '1002' })],
    });
    const [answered, recording] = [told['answered']?.[0] as Row, told['recordings']?.[0] as Row];
    expect(answered['record_uuid']).toBe(recording.uuid);
  });

  test('that nobody takes is missed, with every extension that rang', async () => {
    expect(await newAfter({ ...INCOMING, waitSeconds: 18 })).toEqual({
      ...NOTHING,
      missed: [
        expect.objectContaining({
          from: '61400111222',
          answer_epoch: 0,
          wait_sec: 18,
          hangup_case: 'ORIGINATOR_CANCEL',
          extensions: {
            '1001': { extension: '1001', hangup_cause: 'ORIGINATOR_CANCEL' },
            '1002': { extension: '1002', hangup_cause: 'ORIGINATOR_CANCEL' },
          },
        }),
      ],
      totals: [0, 1, 0],
    });
  });

  test('that leaves a message is missed and in the mailbox', async () => {
    expect(await newAfter({ ...INCOMING, voicemail: true })).toEqual({
      ...NOTHING,
      missed: [expect.objectContaining({ hangup_case: 'NORMAL_CLEARING' })],
      totals: [0, 0, 1],
      voicemail: [
        expect.objectContaining({ username: '1001', cid_number: '61400111222', created_epoch: String(ENDED) }),
      ],
    });
  });

  test('that is sent on to an outside number is answered there, and the leg is charged', async () => {
    const told = await newAfter({ ...INCOMING, divertedTo: '61411222333', talkSeconds: 60 });
    expect(told).toEqual({
      ...NOTHING,
      external: [expect.objectContaining({ from: '61400111222', to: '61411222333', talk_duration: 60 })],
      outgoing: [expect.objectContaining({ to: '61411222333', transferred_call: true })],
      charges: [expect.objectContaining({ to: '61411222333', charge: 0.11, transferred_call: true })],
      totals: [1, 0, 0],
    });
    const [external, leg] = [told['external']?.[0] as Row, told['outgoing']?.[0] as Row];
    expect(leg['parent_uuid']).toBe(external.uuid);
  });

  test('to a 1300 number is paid by the called', async () => {
    const told = await newAfter({ ...INCOMING, did: '1300555019', answeredBy: '1001', talkSeconds: 60 });
    expect(told['collection']).toEqual([expect.objectContaining({ charge: 0.06, external_did: 1300555019 })]);
    expect(told['collection']?.[0]).not.toHaveProperty('uuid');
  });

  test('between extensions is answered and free', async () => {
    expect(await newAfter({ direction: 'internal', extension: '1003', to: '1004' })).toEqual({
      ...NOTHING,
      answered: [
        expect.objectContaining({
          from: '1003',
          to: '1004',
          from_extension_name: expect.any(String) as string,
          external_did: 0,
        }),
      ],
    });
  });
});

test('over the whole made-up world the reports agree with each other', async () => {
  const told = await everywhere(accountClient({ accounts: [{ extensions: 40 }] }));
  const totals = told.comparison;
  const sum = (numbers: number[] | undefined): number => (numbers ?? []).reduce((left, right) => left + right, 0);
  expect(Object.keys(told.missed).length).toBeGreaterThan(10);
  expect((totals['total_missed'] ?? 0) + (totals['total_missed_vm'] ?? 0)).toBe(Object.keys(told.missed).length);
  const fromOutside = told.answered.filter((row) => row['external_did'] !== 0);
  expect(totals['total_answered']).toBe(fromOutside.length + told.external.length);
  expect(sum(totals['day_total_answered'])).toBe(totals['total_answered']);
  expect(sum(totals['hour_total_answered'])).toBe(totals['total_answered']);
  expect(sum(totals['hour_total_missed'])).toBe(totals['total_missed']);
  expect(sum(totals['day_total_missed_vm'])).toBe(totals['total_missed_vm']);
  const talk = [...fromOutside, ...told.external].map((row) => Number(row['talk_duration']));
  expect(sum(totals['day_answered_seconds'])).toBe(sum(talk));
  const taken = told.outgoing.filter((row) => row['answer_epoch'] !== 0);
  expect(told.charges.map(({ uuid }) => uuid)).toEqual(taken.map(({ uuid }) => uuid));
  expect(told.transcripts).toHaveLength(told.recordings.length);
});

test('the comparison leaves out numbers and short calls when asked', async () => {
  const client = accountClient();
  const ask = (query: string): Promise<Record<string, number>> =>
    client.get(`/pbx/reports/incoming-answered-vs-missed?time_period=last_month&${query}`);
  const all = await ask('');
  const without = await ask('exclude_did_numbers[]=61390004100&exclude_did_numbers[]=61390004101');
  const long = await ask('ignore_seconds=120');
  expect(without).toMatchObject({ exclude_did_numbers: ['61390004100', '61390004101'] });
  expect(without['total_answered']).toBeLessThan(all['total_answered'] ?? 0);
  expect(long['total_answered']).toBeLessThan(all['total_answered'] ?? 0);
  expect(long['total_missed']).toBe(0);
});

test('the day of a named period is the zone that was asked for', async () => {
  const client = accountClient();
  client.provider.accounts
    .account()
    .world.placeCall({ ...INCOMING, endedAt: Date.parse('2026-03-01T14:00:00Z') / 1000 });
  const missed = async (query: string): Promise<number> =>
    Object.values(await client.get<Record<string, Row>>(`/pbx/reports/missed-calls?${query}`)).filter(
      (row) => row['end_epoch'] === Date.parse('2026-03-01T14:00:00Z') / 1000,
    ).length;
  expect(await missed('time_period=today')).toBe(1);
  expect(await missed('time_period=today&timezone=UTC')).toBe(0);
  expect(await missed('time_period=yesterday&timezone=UTC')).toBe(1);
});

test('a call that is started shows up when it has ended', async () => {
  const client = accountClient();
  const placed = async (): Promise<Row[]> =>
    (await client.get<Row[]>('/pbx/reports/outgoing-calls')).filter((row) => row['to'] === '61400999888');
  await client.ask('POST', '/pbx/originate/call-connect', {
    phone_number: '61400999888',
    caller_id: 61390004100,
    dialplan_number: '500',
  });
  expect(await placed()).toEqual([]);
  client.pass(35_000);
  expect(await placed()).toMatchObject([{ from: '61390004100', talk_duration: 30 }]);
});

test('a world without generated calls reports the placed ones alone, at any hour', async () => {
  const outgoing = async (callDays?: number): Promise<string[]> => {
    const { provider, get } = accountClient({ accounts: [{ callDays }] });
    const { world } = provider.accounts.account();
    world.placeCall({
      direction: 'outgoing',
      extension: '1001',
      callerId: '61390004100',
      to: '61400999888',
      endedAt: world.seconds() - 60,
      talkSeconds: 30,
    });
    const rows = await get<Row[]>('/pbx/reports/outgoing-calls?time_period=last_month');
    const today = await get<Row[]>('/pbx/reports/outgoing-calls');
    return [...rows, ...today].map((row) => String(row['to']));
  };
  expect(await outgoing(0)).toEqual(['61400999888']);
  expect((await outgoing()).length).toBeGreaterThan(100);
});

test('a message is deleted for good', async () => {
  const { ask, get } = accountClient();
  const before = await get<Row[]>('/pbx/voicemail');
  const uuid = before[0]?.uuid ?? '';
  expect(await get(`/pbx/voicemail/${uuid}`)).toEqual(before[0]);
  expect((await ask('DELETE', `/pbx/voicemail/${uuid}`)).body).toEqual({ status: 'success' });
  expect((await ask('GET', `/pbx/voicemail/${uuid}`)).status).toBe(404);
  expect(await get('/pbx/voicemail')).toHaveLength(before.length - 1);
});

test('the addresses in answers lead to a file', async () => {
  const { provider, get } = accountClient();
  const [recording] = await get<{ stream_url: string }[]>('/pbx/call-recordings?time_period=last_month');
  const response = await provider.app.request(recording?.stream_url ?? '');
  expect(response.headers.get('content-type')).toBe('audio/wav');
  expect(Buffer.from(await response.arrayBuffer()).toString('ascii', 0, 4)).toBe('RIFF');
});
