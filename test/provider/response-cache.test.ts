/** An answer that is as it was is not read again, and nothing that it says of itself is lost by that. */
import { afterEach, describe, expect, it } from 'vitest';
import { lookAt } from '../../src/provider/account-answer.ts';
import { actionToggles } from '../../src/provider/catalogue/action-toggles.ts';
import { createReadOnlyClient } from '../../src/provider/account-client.ts';
import { asItCame, type HttpOptions, type ReadValue } from '../../src/provider/http.ts';
import { createLimiter } from '../../src/provider/limiter.ts';
import { observeComponents } from '../../src/provider/observe.ts';
import { createStatusClient } from '../../src/provider/status-client.ts';
import { componentRow, json, pagesOf, serve, type LocalServer, type Respond } from './local-server.ts';

const MINUTE = 60_000;
const SLOT = { requestsPerSecond: 50, windowMs: 1 };

let server: LocalServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function clientOf(respond: Respond, options: HttpOptions = {}) {
  server = await serve(respond);
  return createStatusClient({ baseUrl: server.base, limiter: createLimiter(SLOT), ...options });
}

/** Notes every value that is read, and makes an object of its own of each. */
function noting(): { read: ReadValue<{ seen: unknown }>; seen: unknown[] } {
  const seen: unknown[] = [];
  return {
    seen,
    read(value) {
      seen.push(value);
      return { seen: value };
    },
  };
}

/** Answers with these bodies in turn, the last for ever. */
function bodies(...all: readonly string[]): Respond {
  return (_, response, index) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(all[index] ?? all.at(-1));
}

describe('an answer with the same bytes', () => {
  it('is read once, and its bytes are told each time', async () => {
    const { read, seen } = noting();
    const client = await clientOf(bodies('{"a":1}'));
    const first = await client.read('status.show', {}, read);
    const second = await client.read('status.show', {}, read);
    expect(second.value).toBe(first.value);
    expect([first.bytes, second.bytes]).toEqual([7, 7]);
    expect(seen).toEqual([{ a: 1 }]);
  });

  it('is read anew when one byte differs, and again when it is as before', async () => {
    const { read, seen } = noting();
    const client = await clientOf(bodies('{"a":1}', '{"a":2}', '{"a":1}'));
    for (let times = 0; times < 3; times += 1) await client.read('status.show', {}, read);
    expect(seen).toEqual([{ a: 1 }, { a: 2 }, { a: 1 }]);
  });

  it('is read once more after many that all differed, and once from then on', async () => {
    const { read, seen } = noting();
    const client = await clientOf(bodies('{"a":1}', '{"a":2}', '{"a":3}', '{"a":4}', '{"a":5}'));
    for (let times = 0; times < 8; times += 1) await client.read('status.show', {}, read);
    expect(seen).toEqual([1, 2, 3, 4, 5, 5].map((a) => ({ a })));
  });

  it('of another address is another answer', async () => {
    const { read, seen } = noting();
    const client = await clientOf(bodies('{"a":1}'));
    await client.read('notices.list', { page: 1 }, read);
    await client.read('notices.list', { page: 2 }, read);
    await client.read('notices.list', { page: 1 }, read);
    expect(seen).toHaveLength(2);
  });

  it('is read anew by whoever reads it in another way', async () => {
    const [one, other] = [noting(), noting()];
    const client = await clientOf(bodies('{"a":1}'));
    await client.read('status.show', {}, one.read);
    await client.read('status.show', {}, other.read);
    expect(await client.ask('status.show', {})).toMatchObject({ value: { a: 1 } });
    expect([one.seen, other.seen]).toEqual([[{ a: 1 }], [{ a: 1 }]]);
  });

  it('is still known after a failure', async () => {
    const { read, seen } = noting();
    const client = await clientOf((arrival, response, index) =>
      index === 1 ? response.writeHead(500).end() : bodies('{"a":1}')(arrival, response, index),
    );
    await client.read('status.show', {}, read);
    await expect(client.read('status.show', {}, read)).rejects.toMatchObject({ code: 'server_error' });
    expect(await client.read('status.show', {}, read)).toMatchObject({ value: { seen: { a: 1 } } });
    expect(seen).toHaveLength(1);
  });

  it('is refused each time where it is refused once', async () => {
    const client = await clientOf(bodies('[]'));
    const refuse: ReadValue<never> = () => {
      throw new Error('refused');
    };
    await expect(client.read('status.show', {}, refuse)).rejects.toThrow('refused');
    await expect(client.read('status.show', {}, refuse)).rejects.toThrow('refused');
  });

  it('is refused under another media type', async () => {
    const { read } = noting();
    const client = await clientOf((_, response, index) =>
      response.writeHead(200, { 'content-type': index === 0 ? 'application/json' : 'text/html' }).end('{"a":1}'),
    );
    await client.read('status.show', {}, read);
    await expect(client.read('status.show', {}, read)).rejects.toMatchObject({ code: 'contract_broken' });
  });

  it('is forgotten when it was not asked for in a quarter of an hour', async () => {
    let now = 0;
    const { read, seen } = noting();
    const client = await clientOf(bodies('{"a":1}'), { monotonic: () => now });
    const ask = (page: number) => client.read('notices.list', { page }, read);
    await ask(1);
    now += 14 * MINUTE;
    await ask(1);
    expect(seen).toHaveLength(1);
    now += 15 * MINUTE;
    await ask(2);
    await ask(1);
    expect(seen).toHaveLength(3);
  });
});

it('takes a 304 for what was made of the answer before', async () => {
  const { read, seen } = noting();
  const client = await clientOf((_, response, index) => {
    if (index === 0) json(response, { a: 1 }, 200, { etag: '"a"' });
    else response.writeHead(304).end();
  });
  const first = await client.read('status.show', {}, read);
  expect((await client.read('status.show', {}, read)).value).toBe(first.value);
  expect(seen).toHaveLength(1);
  expect(server?.arrivals[1]?.headers['if-none-match']).toBe('"a"');
});

it('takes a 304 for what was made of the answer before, though all before that differed', async () => {
  const { read, seen } = noting();
  const client = await clientOf((_, response, index) => {
    if (index < 6) json(response, { a: index }, 200, { etag: `"${index}"` });
    else response.writeHead(304).end();
  });
  for (let times = 0; times < 6; times += 1) await client.read('status.show', {}, read);
  expect((await client.read('status.show', {}, read)).value).toEqual({ seen: { a: 5 } });
  expect(seen).toHaveLength(6);
});

it('does not ask by an ETag that the last answer no longer had', async () => {
  const { read } = noting();
  const client = await clientOf((_, response, index) =>
    json(response, { a: 1 }, 200, index === 0 ? { etag: '"a"' } : {}),
  );
  for (let times = 0; times < 3; times += 1) await client.read('status.show', {}, read);
  expect(server?.arrivals.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"a"', undefined]);
});

it.each([
  ['the same bytes', (): Respond => (_, response) => json(response, { a: 1 })],
  [
    'a 304',
    (): Respond => (_, response, index) =>
      index === 0 ? json(response, { a: 1 }, 200, { etag: '"a"' }) : void response.writeHead(304).end(),
  ],
])('hands each answer as it came to who listens, at %s, too', async (_, respond) => {
  const heard: unknown[] = [];
  const client = await clientOf(respond(), { onAnswer: (operation, _url, answer) => heard.push([operation, answer]) });
  const { read } = noting();
  await client.read('status.show', {}, read);
  await client.read('status.show', {}, read);
  expect(heard).toEqual([
    ['status.show', { value: { a: 1 } }],
    ['status.show', { value: { a: 1 } }],
  ]);
});

it('observes a listing of which one page changed as it is', async () => {
  const rows = Array.from({ length: 60 }, (_, index) => componentRow(index + 1));
  const client = await clientOf(({ url }, response) =>
    json(response, pagesOf('components', '/api/v1/components', rows, Number(/page=(\d+)/.exec(url)?.[1] ?? 1))),
  );
  const before = await observeComponents(client);
  rows[30] = componentRow(31, { state: 'degraded' });
  const after = await observeComponents(client);
  if (before.kind === 'missed' || after.kind === 'missed') throw new Error('nothing was observed');
  const changed = after.items.filter((item, index) => item !== before.items[index]).map(({ id }) => id);
  // The page of the one that changed was read anew, the two others were not.
  expect(changed).toEqual(Array.from({ length: 25 }, (_, index) => String(index + 26)));
  expect(after.items.filter(({ state }) => state === 'degraded').map(({ id }) => id)).toEqual(['31']);
  expect(after).toMatchObject({ defects: [], missing: null });
});

it('reads an answer of an account that does not change once, with what is odd in it', async () => {
  server = await serve((_, response) => json(response, [{ id: 1, name: 'Night', status: 'perhaps' }, 7]));
  const made: unknown[] = [];
  const client = createReadOnlyClient({
    baseUrl: server.base,
    apiKey: 'key',
    limiter: createLimiter(SLOT),
  });
  const look = lookAt(actionToggles['action-toggles.list'], 10, (answer, oddities) => {
    made.push(answer);
    return oddities.map(({ lost }) => lost.kind);
  });
  expect(await client.look(look)).toEqual(['field', 'row']);
  expect(await client.look(look)).toEqual(['field', 'row']);
  expect(made).toHaveLength(1);
});

it('keeps nothing for who reads each answer anew and cannot ask whether it changed', async () => {
  const client = await clientOf(bodies('{"a":1}'));
  const first = await client.read('status.show', {}, asItCame);
  const second = await client.read('status.show', {}, asItCame);
  expect(second.value).toEqual(first.value);
  expect(second.value).not.toBe(first.value);
});
