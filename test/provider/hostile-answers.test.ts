import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccountClient, type AccountClient } from '../../src/provider/account-client.ts';
import { readAnswer } from '../../src/provider/answer.ts';
import { accountCatalogue, type AccountOperationId } from '../../src/provider/catalogue/account-catalogue.ts';
import { ProviderError } from '../../src/provider/errors.ts';
import type { Limiter } from '../../src/provider/limiter.ts';
import { observeComponents, observeNotice, observeNotices, observePage } from '../../src/provider/observe.ts';
import { createStatusClient } from '../../src/provider/status-client.ts';
import { examples } from './examples.ts';
import { componentRow, noticeRow, serve, type LocalServer } from './local-server.ts';
import { runs } from '../support/runs.ts';

const KEY = 'key-0123456789';
const BATCH = 50;
/** Two thousand answers over HTTP; eight thousand more are read without it. */
const RUNS = 40;

let server: LocalServer;
let clients: AccountClient[];
/** What the server answers, by the value of the header that names the request. */
const answers = new Map<string, { status: number; body: string }>();
const openGate: Limiter = { run: (attempt) => attempt(), waiting: () => 0 };

beforeAll(async () => {
  server = await serve(({ headers }, response) => {
    const answer = answers.get(headers['user-agent'] ?? '') ?? { status: 500, body: '' };
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    server.arrivals.length = 0;
  });
  clients = Array.from({ length: BATCH }, (_, index) =>
    createAccountClient({
      baseUrl: server.base,
      apiKey: KEY,
      limiter: openGate,
      userAgent: `probe-${index}`,
      retry: { retries: 0 },
    }),
  );
});

afterAll(async () => {
  for (const client of clients) {
    client.close();
  }
  await server.close();
});

/** Stands for a value nested too deep for anybody to print. */
const DEEP = 'nested very deep';
const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
const hostile = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    0.5,
    1e308,
    2 ** 60,
    '',
    ' ',
    '0',
    '007',
    DEEP,
    '\u0000\r\n',
    KEY,
    'x'.repeat(20_000),
    [],
    {},
    [[]],
    [null],
  ),
  fc
    .constantFrom(
      '{"__proto__": {"polluted": true}}',
      '{"constructor": {"prototype": {"polluted": true}}}',
      '{"__proto__": [{"__proto__": {"polluted": true}}], "toString": 1, "length": 9, "then": {}}',
    )
    .map((text) => JSON.parse(text) as unknown),
  fc.jsonValue(),
);

/** Where to strike (a number chooses among all places of the answer) and what with; undefined takes the place away. */
const blows = fc.array(fc.record({ place: fc.nat(), value: fc.option(hostile, { nil: undefined, freq: 4 }) }), {
  minLength: 1,
  maxLength: 3,
});

interface Place {
  holder: Record<string, unknown>;
  key: string;
}

function placesOf(value: unknown, found: Place[] = [], depth = 0): Place[] {
  if (typeof value === 'object' && value !== null && depth < 20) {
    for (const [key, inner] of Object.entries(value)) {
      found.push({ holder: value as Record<string, unknown>, key });
      placesOf(inner, found, depth + 1);
    }
  }
  return found;
}

function struck(answer: unknown, strikes: readonly { place: number; value: unknown }[]): string {
  const root: Record<string, unknown> = { answer: structuredClone(answer) };
  for (const { place, value } of strikes) {
    const places = placesOf(root);
    const { holder, key } = places[place % places.length] ?? { holder: root, key: 'answer' };
    if (value === undefined && !Array.isArray(holder)) {
      delete holder[key];
    } else {
      Object.defineProperty(holder, key, {
        value: structuredClone(value ?? null),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
  return (JSON.stringify(root['answer']) ?? '').replaceAll(`"${DEEP}"`, deep);
}

function expectHarmless(outcome: PromiseSettledResult<unknown>): void {
  if (outcome.status === 'rejected') {
    const reason: unknown = outcome.reason;
    expect(reason).toBeInstanceOf(ProviderError);
    const { message, stack, fields } = reason as ProviderError;
    expect(`${message}${stack}${JSON.stringify(fields)}`).not.toContain(KEY);
    expect(message.length).toBeLessThan(1000);
  }
  expect((Object.prototype as unknown as Record<string, unknown>)['polluted']).toBeUndefined();
}

describe('ten thousand damaged answers', () => {
  it('of the account interface are read or refused, and neither pollute nor leak', async () => {
    const one = fc.record({
      id: fc.constantFrom(...(Object.keys(examples) as AccountOperationId[])),
      status: fc.constantFrom(200, 200, 200, 201, 400, 422, 500),
      blows,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: BATCH, maxLength: BATCH }), async (batch) => {
        const asked = batch.map(async ({ id, status, blows: strikes }, index) => {
          const userAgent = `probe-${index}`;
          answers.set(userAgent, { status, body: struck(examples[id].answer, strikes) });
          return clients[index]?.call(id, examples[id].input as never, { write: () => undefined });
        });
        for (const outcome of await Promise.allSettled(asked)) {
          expectHarmless(outcome);
        }
      }),
      { ...runs(RUNS), endOnFailure: true },
    );
  }, 600_000);

  it('are read by their schema or refused, whatever they hold', () => {
    const one = fc.record({ id: fc.constantFrom(...(Object.keys(examples) as AccountOperationId[])), blows });
    let read = 0;
    const { numRuns } = runs(8000);
    fc.assert(
      fc.property(one, ({ id, blows: strikes }) => {
        const { result } = accountCatalogue[id];
        const text = struck(examples[id].answer, strikes);
        const reading = readAnswer(result, text === '' ? undefined : JSON.parse(text));
        read += reading.kind === 'read' ? 1 : 0;
        expect((Object.prototype as unknown as Record<string, unknown>)['polluted']).toBeUndefined();
      }),
      { numRuns, endOnFailure: true },
    );
    // Most damage is tolerable: an answer is not thrown away for one bad field. Among few, chance has a say.
    expect(read).toBeGreaterThan(numRuns / 2 - Math.sqrt(numRuns));
  }, 600_000);

  it('of the status interface become observations and never exceptions', async () => {
    const meta = { count: 1, total_count: 1, next_page: '/api/v1/components?page=2' };
    const notice = { ...noticeRow(1), components: [componentRow(1)], updates: [noticeRow(1)['latest_update']] };
    const whole = {
      page: { name: 'P', state: 'operational', links: { notices: { count: 1 } } },
      components: [componentRow(1)],
      notices: [noticeRow(1)],
      notice,
      meta,
    };
    await fc.assert(
      fc.asyncProperty(fc.array(blows, { minLength: 10, maxLength: 10 }), async (batch) => {
        const asked = batch.map(async (strikes, index) => {
          const userAgent = `status-${index}`;
          answers.set(userAgent, { status: 200, body: struck(whole, strikes) });
          const client = createStatusClient({ baseUrl: server.base, limiter: openGate, userAgent });
          const seen = [
            await observePage(client),
            await observeComponents(client, { caps: { pages: 4, items: 100 } }),
            await observeNotices(client, 'present', { firstPageOnly: true }),
            await observeNotice(client, '1'),
          ];
          client.close();
          return seen;
        });
        for (const seen of await Promise.all(asked)) {
          expect(seen.map(({ kind }) => ['observed', 'missed'].includes(kind))).toEqual([true, true, true, true]);
        }
        expect((Object.prototype as unknown as Record<string, unknown>)['polluted']).toBeUndefined();
      }),
      { ...runs(20), endOnFailure: true },
    );
  }, 600_000);
});
