import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  createAccountClient,
  createReadOnlyClient,
  type AccountClient,
  type ReadOnlyClient,
} from '../../src/provider/account-client.ts';
import type { AccountClientOptions } from '../../src/provider/account-requests.ts';
import { accountCatalogue } from '../../src/provider/catalogue/account-catalogue.ts';
import { ProviderError } from '../../src/provider/errors.ts';
import { createLimiter } from '../../src/provider/limiter.ts';
import { maskInput, maskSecrets } from '../../src/provider/field-kinds.ts';
import { json, serve, type LocalServer, type Respond } from './local-server.ts';

const KEY = 'key-0123456789';

function clientFor(server: { base: string }, options: Partial<AccountClientOptions> = {}): AccountClient {
  const limiter = createLimiter({ requestsPerSecond: 50, windowMs: 10 });
  return createAccountClient({ baseUrl: server.base, apiKey: KEY, limiter, retry: { retries: 0 }, ...options });
}

async function failureOf(ask: Promise<unknown>): Promise<ProviderError> {
  const error: unknown = await ask.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ProviderError);
  const { message, stack } = error as ProviderError;
  expect(JSON.stringify({ ...(error as ProviderError), message, stack })).not.toContain(KEY);
  return error as ProviderError;
}

describe('the input', () => {
  const nowhere = { base: 'http://127.0.0.1:9' };
  const client = clientFor(nowhere);
  const january = 1_767_225_600;

  it.each<[string, () => Promise<unknown>, string]>([
    ['a code of 3 digits', () => client.extensions.update({ extension: 1, vm_password: '123' }), '4 digits'],
    ['a code of letters', () => client.voicemailExtensions.create({ vm_password: 'abcd' }), '4 digits'],
    [
      '4 seconds to wrap up',
      () => client.extensions.update({ extension: 1, agent_wrap_time: 4 }),
      'at least 5 seconds',
    ],
    [
      '4 seconds of busy delay',
      () => client.extensions.update({ extension: 1, agent_busy_delay_time: 4 }),
      'at least 5 seconds',
    ],
    [
      'an unknown toll',
      () => client.extensions.update({ extension: 1, tolls: ['mars' as 'international'] }),
      'australia_local',
    ],
    [
      'an unknown agent status',
      () => client.extensions.update({ extension: 1, agent_status: 'Away' as 'Available' }),
      'Logged Out',
    ],
    [
      'another emergency number',
      () => client.extensions.update({ extension: 1, emergency_dial_number: '112' }),
      'must be 000',
    ],
    [
      'an unknown zone',
      () => client.extensions.update({ extension: 1, timezone: 'Australia/Melborne' }),
      'Australia/Melbourne',
    ],
    [
      'an address without @',
      () => client.extensions.update({ extension: 1, voicemail_emails: ['desk'] }),
      'mail address',
    ],
    [
      'an SMS from a name',
      () => client.sms.send({ from: 'Shop', to: '+61400000000', body: 'x' }),
      'international number',
    ],
    [
      'an SMS to a local number',
      () => client.sms.send({ from: '+61400000000', to: '0400000000', body: 'x' }),
      'international number',
    ],
    [
      'an empty SMS',
      () => client.sms.send({ from: '+61400000000', to: '+61400000001', body: '' }),
      'must not be empty',
    ],
    [
      'a window of a month and a second',
      () => client.reports.missedCalls.list({ start_time: january, end_time: january + 31 * 86_400 + 1 }),
      'at most one month',
    ],
    ['a window that ends first', () => client.callRecordings.list({ start_time: 2, end_time: 1 }), 'before start_time'],
    [
      'a name and a window',
      () => client.callTranscripts.list({ time_period: 'today', start_time: 1 }),
      'cannot be combined',
    ],
    [
      'a period that ends first',
      () => client.billing.calls.outgoing.list({ start_date: '2026-02-01 00:00:00', end_date: '2026-01-01 00:00:00' }),
      'before start_date',
    ],
    [
      'a date alone',
      () => client.billing.calls.outgoing.list({ start_date: '2026-02-01', end_date: '2026-02-02 00:00:00' }),
      'YYYY-MM-DD HH:MM:SS',
    ],
    [
      'a day that does not exist',
      () => client.billing.calls.outgoing.list({ start_date: '2026-02-30 00:00:00', end_date: '2026-03-02 00:00:00' }),
      'exist',
    ],
    ['a country by name', () => client.orderNumbers.locality.list({ country_iso: 'Australia' }), 'two letters'],
    ['a climbing path', () => client.voicemail.delete({ voicemail: '..' }), 'must not be ".."'],
    ['an empty name', () => client.phonebook.create({ name: '' }), 'must not be empty'],
    ['a field nobody knows', () => client.phonebook.create({ name: 'x', nmae: 'y' } as { name: string }), 'nmae'],
    ['a missing field', () => client.phonebook.create({} as { name: string }), 'name'],
  ])('%s is refused before anything is sent', async (_, ask, words) => {
    const error = await failureOf(ask());
    expect(error).toMatchObject({ code: 'validation', maybeSeen: false });
    expect(error.message).toContain(words);
    expect(Object.keys(error.fields ?? {})).not.toHaveLength(0);
  });

  it('may span a month that is longer in the zone of the report', async () => {
    await using server = await serve((_, response) => json(response, {}));
    const april = { start_time: Date.UTC(2026, 2, 31, 13) / 1000, end_time: Date.UTC(2026, 3, 30, 14) / 1000 };
    await clientFor(server).reports.missedCalls.list({ ...april, timezone: 'Australia/Melbourne' });
    await failureOf(clientFor(server).reports.missedCalls.list(april));
    expect(server.arrivals).toHaveLength(1);
  });
});

describe('the key', () => {
  it.each(['http://api.example.com', 'http://127.0.0.1.example.com'])(
    'does not travel in the clear to %s',
    (baseUrl) => {
      expect(() => createAccountClient({ baseUrl, apiKey: KEY })).toThrow('must be https');
    },
  );

  it.each(['http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1', 'https://api.example.com'])(
    'may travel to %s',
    (baseUrl) => {
      expect(createAccountClient({ baseUrl, apiKey: KEY }).baseUrl).toContain(baseUrl);
    },
  );

  it('that would break the header is refused without being quoted', () => {
    expect(() => createAccountClient({ baseUrl: 'https://a.example', apiKey: 'se\r\ncret' })).toThrow(
      /^the API key must be one word/,
    );
  });

  it('is not carried to another origin by a redirect, and struck out where the provider echoes it', async () => {
    await using elsewhere = await serve((_, response) => json(response, []));
    await using server = await serve((_, response) =>
      response.writeHead(302, { location: `${elsewhere.base}/api` }).end(),
    );
    expect((await failureOf(clientFor(server).extensions.list())).code).toBe('foreign_link');
    expect(elsewhere.arrivals).toHaveLength(0);
    server.respond = ({ headers }, response) =>
      json(response, { message: `bad ${headers.authorization}`, errors: { key: [`${headers.authorization}`] } }, 422);
    expect((await failureOf(clientFor(server).extensions.list())).message).toContain('bad Bearer [hidden]');
  });

  it('is carried along a redirect within the origin', async () => {
    await using server = await serve(({ url }, response) =>
      url === '/moved' ? json(response, []) : void response.writeHead(301, { location: '/moved' }).end(),
    );
    expect(await clientFor(server).extensions.list()).toEqual([]);
    expect(server.arrivals[1]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });
});

describe('a refusal', () => {
  it.each<[string, Respond, Partial<ProviderError>, string]>([
    [
      '401',
      (_, r) => json(r, { message: 'Unauthenticated.' }, 401),
      { code: 'credentials', status: 401 },
      'Unauthenticated.',
    ],
    [
      '403',
      (_, r) => json(r, { message: 'This action is unauthorized.' }, 403),
      { code: 'credentials' },
      'unauthorized',
    ],
    [
      'a login page',
      (_, r) => void r.writeHead(302, { location: 'https://portal.example.com/login' }).end(),
      { code: 'credentials' },
      'login page',
    ],
    ['404', (_, r) => json(r, 'Please check the ID', 404), { code: 'not_found' }, 'Please check the ID'],
    ['400 with a plain sentence', (_, r) => json(r, 'not SMS capable', 400), { code: 'refused' }, 'not SMS capable'],
    [
      '422',
      (_, r) => json(r, { message: 'The name field is required.', errors: { name: ['required'] } }, 422),
      { code: 'validation', fields: { name: ['required'] } },
      'The name field',
    ],
    [
      '429',
      (_, r) => json(r, { message: 'Too Many Attempts.' }, 429, { 'retry-after': '37' }),
      { code: 'rate_limited', retryAfterMs: 37_000 },
      'Too Many',
    ],
    ['500', (_, r) => json(r, { message: KEY, trace: [KEY] }, 500), { code: 'server_error', status: 500 }, '500'],
    [
      '200 with an error',
      (_, r) => json(r, { error: '1', message: 'Number is gone' }),
      { code: 'refused', status: 200 },
      'Number is gone',
    ],
    [
      '200 with a web page',
      (_, r) => void r.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      { code: 'contract_broken' },
      'text/html',
    ],
    [
      '200 with a list for an object',
      (_, r) => json(r, [1]),
      { code: 'contract_broken' },
      'a list where an object was expected',
    ],
  ])('by %s', async (_, respond, facts, words) => {
    await using server = await serve(respond);
    const error = await failureOf(clientFor(server).orderNumbers.assign({ number_id: '1', supply_uuid: 's' }));
    expect(error).toMatchObject({ ...facts, operation: 'order-numbers.assign' });
    expect(error.message).toContain(words);
  });
});

describe('asking again', () => {
  async function attempts(
    ask: (client: AccountClient) => Promise<unknown>,
    respond: Respond,
  ): Promise<{ server: LocalServer; settled: unknown }> {
    const server = await serve(respond);
    const client = clientFor(server, { retry: { retries: 2, delayMs: 1 } });
    const settled = await ask(client).catch((error: unknown) => error);
    client.close();
    await server.close();
    return { server, settled };
  }
  const fail500: Respond = (_, response) => json(response, {}, 500);

  it('happens by itself for reading', async () => {
    const { server, settled } = await attempts(
      (c) => c.extensions.list(),
      (_, response, index) => json(response, [], index < 2 ? 503 : 200),
    );
    expect(settled).toEqual([]);
    expect(server.arrivals).toHaveLength(3);
  });

  it('ends after two more attempts, and does not begin where it cannot help', async () => {
    expect((await attempts((c) => c.extensions.list(), fail500)).server.arrivals).toHaveLength(3);
    expect(
      (
        await attempts(
          (c) => c.extensions.list(),
          (_, r) => json(r, {}, 404),
        )
      ).server.arrivals,
    ).toHaveLength(1);
    expect(
      (
        await attempts(
          (c) => c.extensions.list(),
          (_, r) => json(r, {}, 429, { 'retry-after': '31' }),
        )
      ).server.arrivals,
    ).toHaveLength(1);
  });

  it('happens for a PUT, not for a POST or DELETE that may have been seen, and never for what acts', async () => {
    expect(
      (await attempts((c) => c.actionToggles.update({ action_toggle: 1, status: true }), fail500)).server.arrivals,
    ).toHaveLength(3);
    expect((await attempts((c) => c.actionToggles.create({ name: 'x' }), fail500)).server.arrivals).toHaveLength(1);
    expect((await attempts((c) => c.actionToggles.delete({ action_toggle: 1 }), fail500)).server.arrivals).toHaveLength(
      1,
    );
    const send = (c: AccountClient) => c.sms.send({ from: '+61400000000', to: '+61400000001', body: 'x' });
    expect((await attempts(send, fail500)).server.arrivals).toHaveLength(1);
    expect((await attempts(send, (_, r) => json(r, {}, 429, { 'retry-after': '0' }))).server.arrivals).toHaveLength(1);
    expect((await attempts(send, (_, r) => r.destroy())).server.arrivals).toHaveLength(1);
  });

  it('waits as long as the provider asks', async () => {
    const { server, settled } = await attempts(
      (c) => c.extensions.list(),
      (_, response, index) => (index === 0 ? json(response, {}, 429, { 'retry-after': '0.2' }) : json(response, [])),
    );
    expect(settled).toEqual([]);
    const [first, second] = server.arrivals;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(199);
  });

  it.each([
    ['as long as the provider asks, a little longer by chance', { 'retry-after': '20' }, [24_000, 24_000]],
    ['for a delay of its own, twice as long each time, where it asks for no time', {}, [120, 240]],
  ])('waits %s', async (_, headers, waits) => {
    await using server = await serve((__, response) => json(response, {}, 503, headers));
    const slept: number[] = [];
    const sleep = (ms: number): Promise<void> => Promise.resolve(void slept.push(Math.round(ms)));
    const client = clientFor(server, { retry: { retries: 2, delayMs: 100, random: () => 1, sleep } });
    expect((await failureOf(client.extensions.list())).status).toBe(503);
    expect(slept).toEqual(waits);
  });

  it('ends at shutdown', async () => {
    const shutdown = new AbortController();
    await using server = await serve((_, response) => {
      json(response, {}, 429, { 'retry-after': '20' });
      setTimeout(() => shutdown.abort(), 20);
    });
    const client = clientFor(server, { retry: { retries: 2, delayMs: 1 } });
    expect((await failureOf(client.extensions.list({}, { signal: shutdown.signal }))).code).toBe('cancelled');
  });
});

describe('an answer', () => {
  it('of registrations is a map without a prototype, whatever its keys and shapes', async () => {
    const row = { user_id: 101, user_agent: 'Yealink', port: 5060 };
    const body = `{"__proto__": [${JSON.stringify(row)}], "007": ${JSON.stringify(row)}, "constructor": {"0": ${JSON.stringify(row)}}, "9": "junk"}`;
    await using server = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    );
    const oddities: string[] = [];
    const onOddity: AccountClientOptions['onOddity'] = (_, found) =>
      void oddities.push(...found.map(({ text }) => text));
    const answer = await clientFor(server, { onOddity }).registrations.list();
    expect(Object.getPrototypeOf(answer)).toBeNull();
    expect(Object.keys(answer).toSorted()).toEqual(['007', '__proto__', 'constructor']);
    for (const key of ['__proto__', '007', 'constructor']) {
      expect(answer[key]?.[0]).toMatchObject({ user_id: '101', user_agent: 'Yealink', port: 5060, status: null });
    }
    expect(oddities).toContain('the answer.9 is a string where a list was expected');
    expect(({} as Record<string, unknown>)['user_id']).toBeUndefined();
  });

  it('of registrations all of whose entries are unreadable is not an empty one', async () => {
    await using server = await serve((_, response) => json(response, { row_count: 0 }));
    const error = await failureOf(clientFor(server).registrations.list());
    expect(error).toMatchObject({ code: 'contract_broken' });
    expect(error.message).toContain('holds nothing readable');
  });

  it('comes with its oddities where they are asked for', async () => {
    await using server = await serve((_, response) => json(response, [{ id: 1, name: 'x', status: true }, 7]));
    const { answer, oddities } = await clientFor(server).inspect('action-toggles.list', {});
    expect(answer).toEqual([{ id: 1, name: 'x', status: true }]);
    expect(oddities).toEqual([
      { lost: { kind: 'row' }, text: 'the answer[1] is a number where an object was expected' },
    ]);
  });

  it('of registrations may be an empty list', async () => {
    await using server = await serve((_, response) => json(response, []));
    expect(await clientFor(server).registrations.list()).toEqual({});
  });

  it('has the documented types: numeric text, 0 and 1, digits as text, states as given', async () => {
    const rows = [
      { id: '5', name: 'After hours', status: 1 },
      { id: 6, name: 7, status: '0' },
      { id: 8, name: 'x', status: null },
      { id: 9, name: 'x', status: 'perhaps' },
      'junk',
    ];
    await using server = await serve(({ url }, response) =>
      json(
        response,
        url.endsWith('toggles')
          ? rows
          : [{ agent_status: 'At lunch', caller_id: 61_300_000_000, voicemail: true, new_field: [1] }],
      ),
    );
    const client = clientFor(server);
    expect(await client.actionToggles.list()).toEqual([
      { id: 5, name: 'After hours', status: true },
      { id: 6, name: '7', status: false },
      { id: 8, name: 'x', status: null },
      { id: 9, name: 'x', status: null },
    ]);
    const [extension] = await client.extensions.list();
    expect(extension).toMatchObject({
      agent_status: 'At lunch',
      caller_id: '61300000000',
      voicemail: 1,
      new_field: [1],
      id: null,
    });
  });

  it('that is a page of the wrong type is no file', async () => {
    await using server = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    );
    const written: Uint8Array[] = [];
    const write = (chunk: Uint8Array) => void written.push(chunk);
    const error = await failureOf(clientFor(server).callTranscripts.downloadVtt({ transcript_id: 1 }, { write }));
    expect(error.code).toBe('contract_broken');
    expect(written).toEqual([]);
  });
});

describe('a reader', () => {
  it('cannot change anything, by its type and at run time', async () => {
    const reader = createReadOnlyClient({ baseUrl: 'http://127.0.0.1:9', apiKey: KEY });
    expectTypeOf<ReadOnlyClient['registrations']>().toEqualTypeOf<Pick<AccountClient['registrations'], 'list'>>();
    expectTypeOf<ReadOnlyClient>().not.toHaveProperty('sms');
    expect(Object.keys(reader.registrations)).toEqual(['list']);
    expect('sms' in reader).toBe(false);
    // @ts-expect-error a reader knows no such operation
    await expect(reader.call('registrations.delete', { registration: 1 })).rejects.toThrow(TypeError);
  });
});

describe('what is shown', () => {
  it('has its secrets struck out', () => {
    const { 'extensions.list': list, 'extensions.create': create, 'voicemail.show': message } = accountCatalogue;
    expect(maskSecrets(list, [{ name: 'x', vm_password: '0123', tolls: [] }])).toEqual([
      { name: 'x', vm_password: '[hidden]', tolls: [] },
    ]);
    expect(maskSecrets(message, { stream_url: 'https://x', uuid: null })).toEqual({
      stream_url: '[hidden]',
      uuid: null,
    });
    expect(maskInput(create, { password: 'p', vm_password: '0123', name: 'x' })).toEqual({
      password: '[hidden]',
      vm_password: '[hidden]',
      name: 'x',
    });
    const map = Object.assign(Object.create(null) as object, JSON.parse('{"a": [{"user_id": "1"}]}')) as object;
    expect(Object.getPrototypeOf(maskSecrets(accountCatalogue['registrations.list'], map))).toBeNull();
  });
});
