/** A long body read in slices is the same value, and the same failure, as read at once, and lets others go on. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSecretSearch, REDACTED } from '../../src/net/secret-search.ts';
import { ProviderError } from '../../src/provider/errors.ts';
import { readJson, readJsonInSlices } from '../../src/provider/json-body.ts';
import type { Ask, Reply } from '../../src/provider/transport.ts';

const ASK: Ask = { operation: 'reports', method: 'GET', url: new URL('http://127.0.0.1/'), headers: {} };
/** Several slices. */
const ROWS = 3_000;

function replyOf(body: string | Uint8Array): Reply {
  return { status: 200, header: () => undefined, body: typeof body === 'string' ? Buffer.from(body) : body };
}

function rowsOf(count: number): object[] {
  return Array.from({ length: count }, (_, id) => ({
    id,
    name: `Zoë, "quoted" [${id}] {\\`,
    parts: [1, { a: ',' }, []],
    to: `0${412_345_000 + id}`,
  }));
}

async function failureOf(read: () => unknown): Promise<string> {
  try {
    await read();
  } catch (error) {
    if (error instanceof ProviderError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'none';
}

describe('a long body', () => {
  test.each([
    ['a list', JSON.stringify(rowsOf(ROWS))],
    ['a map', JSON.stringify(Object.fromEntries(rowsOf(ROWS).map((row, index) => [`k${index}`, row])))],
    [
      'a map by whole numbers',
      JSON.stringify(Object.fromEntries(rowsOf(ROWS).map((row, index) => [ROWS - index, row]))),
    ],
    ['a list with blanks', ` \n${JSON.stringify(rowsOf(ROWS), null, 2)}\r\n `],
    ['a list behind a byte-order mark', `\uFEFF${JSON.stringify(rowsOf(ROWS))}`],
    ['a map with a key of every object', `{"__proto__": {"a": 1}, ${JSON.stringify({ rows: rowsOf(ROWS) }).slice(1)}`],
    ['one long row', JSON.stringify([rowsOf(ROWS)])],
    ['long text', JSON.stringify('x'.repeat(200_000))],
  ])('as %s is the same value in slices', async (_, body) => {
    const { value } = await readJsonInSlices(replyOf(body), ASK);
    expect(value).toEqual(readJson(replyOf(body), ASK).value);
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(body.replace('\uFEFF', ''))));
  });

  test('of any rows is the same value in slices', async () => {
    const filler = rowsOf(700);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 20 }), fc.boolean(), async (some, isMap) => {
        const rows = [...filler, ...some, ...filler];
        const body = JSON.stringify(isMap ? Object.fromEntries(rows.entries()) : rows);
        const { value } = await readJsonInSlices(replyOf(body), ASK);
        expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(body)));
      }),
      { numRuns: 30 },
    );
  });

  const list = JSON.stringify(rowsOf(ROWS));
  test.each([
    ['cut off', list.slice(0, -1)],
    ['cut off in a text', list.slice(0, 150_000)],
    ['followed by more', `${list}{}`],
    ['closed as a map', `${list.slice(0, -1)}}`],
    ['closed twice in the middle', list.replace('},{"id":2000', '}],[{"id":2000')],
    ['with a comma at its end', `${list.slice(0, -1)},]`],
    ['with blanks between two commas', `${list.slice(0, -1)},${' '.repeat(200_000)},1]`],
    ['with two commas in the middle', list.replace('},{"id":2000', '},,{"id":2000')],
    ['with a byte-order mark in the middle', list.replace('},{"id":2000', '},\uFEFF{"id":2000')],
    ['not closed in a row', list.replace('},{"id":2000', ',{"id":2000')],
  ])('%s fails alike in slices', async (_, body) => {
    const failed = await failureOf(() => readJsonInSlices(replyOf(body), ASK));
    expect(failed).toBe(await failureOf(() => readJson(replyOf(body), ASK)));
    expect(failed).toContain('contract_broken');
  });

  test('that is not UTF-8 in its middle fails alike in slices', async () => {
    const body = Buffer.from(list);
    body[150_000] = 0xff;
    const failed = await failureOf(() => readJsonInSlices(replyOf(body), ASK));
    expect(failed).toBe(await failureOf(() => readJson(replyOf(body), ASK)));
    expect(failed).toContain('not valid UTF-8');
  });

  test('beyond a limit fails alike in slices', async () => {
    const body = JSON.stringify(Array.from({ length: 100_001 }, () => ({})));
    const failed = await failureOf(() => readJsonInSlices(replyOf(body), ASK));
    expect(failed).toBe(await failureOf(() => readJson(replyOf(body), ASK)));
    expect(failed).toContain('too_large');
  });

  test('lets others go on between its slices, and a short one is read at once', async () => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await readJsonInSlices(replyOf(list), ASK);
    clearImmediate(next);
    expect(turns).toBeGreaterThan(list.length / 100_000);
  });
});

describe('a secret', () => {
  const secret = 'key-0123456789abcdef';
  const strike = createSecretSearch([secret]);
  const row = (text: string): string => `{"name": "${text}"}`;
  const bodyWith = (some: string): string => {
    const filler = Array.from({ length: ROWS }, (_, id) => row(`Name ${id} of some length, for more than a slice`));
    return `[${[...filler, some, ...filler].join(',')}]`;
  };

  test.each([
    ['in a value', row(`so ${secret} said`)],
    ['in a key', `{"${secret}": 1}`],
    ['behind an escape', row(`\\u006bey-0123456789abcdef`)],
  ])('%s is redacted in slices', async (_, some) => {
    const { value } = await readJsonInSlices(replyOf(bodyWith(some)), ASK, strike);
    expect(JSON.stringify(value)).not.toContain(secret);
    expect(JSON.stringify(value)).toContain(REDACTED);
  });

  test('in a short body is redacted, too', async () => {
    const { value } = await readJsonInSlices(replyOf(`[${row(secret)}]`), ASK, strike);
    expect(value).toEqual([{ name: REDACTED }]);
  });
});
