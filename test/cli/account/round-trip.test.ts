/**
 * What is typed is what is sent, what is sent is understood as what was typed, and what was written is read back: for
 * any input the catalogue's schemas accept.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeDigits } from '../../../src/provider/field-kinds.ts';
import type { Operation } from '../../../src/provider/operation.ts';
import { readInput, readQuery } from '../../../src/simulator/request-input.ts';
import { inputOf, type DrawnInput } from '../../support/account-arbitraries.ts';
import { accountBench, OPERATIONS, wordsFor, type AccountBench } from '../../support/account-bench.ts';
import { runs } from '../../support/runs.ts';

let bench: AccountBench;

beforeAll(async () => {
  bench = await accountBench();
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

interface Prepared {
  method: string;
  url: string;
  body?: Record<string, unknown>;
}

/** The values of the path, as a server finds them. */
function pathValues({ path }: Operation, url: URL): Record<string, string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`);
  const values = pattern.exec(url.pathname)?.slice(1) ?? expect.fail(`${url.pathname} is not ${path}`);
  return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]));
}

describe.each(OPERATIONS.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
  it('sends what was typed, and is understood by the simulator as that', async () => {
    await fc.assert(
      fc.asyncProperty(inputOf(operation), async (input) => {
        if (operation.verbs[0] === 'PUT') fc.pre(Object.keys(operation.body.shape).some((name) => name in input));
        const words = ['--dry-run', '--json', '--show-secrets', ...wordsFor(operation, withoutDash(operation, input))];
        const ran = await bench.run(words);
        expect([ran.code, ran.err]).toEqual([0, '']);
        const { method, url: address, body = {} } = JSON.parse(ran.out) as Prepared;
        expect(method).toBe(operation.verbs[0]);
        const url = new URL(address);
        const read = [
          readInput(operation.params, pathValues(operation, url)),
          readInput(operation.query, readQuery(url.searchParams)),
          readInput(operation.body, body),
        ];
        expect(read.map(({ errors }) => errors)).toEqual([{}, {}, {}]);
        const understood = Object.assign({}, ...read.map(({ values }) => values)) as DrawnInput;
        expect(wire(operation, understood)).toEqual(wire(operation, withoutDash(operation, input)));
      }),
      runs(8),
    );
  });
});

/** A single dash as a secret means standard input, and an empty list in a query is the same as none. */
function withoutDash(operation: Operation, input: DrawnInput): DrawnInput {
  const entries = Object.entries(input).filter(
    ([name, value]) => !(Object.hasOwn(operation.query.shape, name) && Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, value === '-' && name === 'password' ? 'x' : value]));
}

/** Digits are compared in the form in which they travel: 007 and 7 are different there, 7 and "7" are not. */
function wire(operation: Operation, input: DrawnInput): DrawnInput {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'string' && !Object.hasOwn(operation.params.shape, name) ? String(encodeDigits(value)) : value,
    ]),
  );
}

/** Records that can be made, changed and shown: what was written is what is read. */
const RECORDS = [
  { resource: 'action-toggles', id: 'id', above: [] },
  { resource: 'phonebook', id: 'id', above: [] },
  { resource: 'phonebook.items', id: 'id', above: ['71'] },
  { resource: 'extensions', id: 'extension_id', above: [] },
  { resource: 'voicemail-extensions', id: 'voicemail_extension_id', above: [] },
] as const;

describe.each(RECORDS)('$resource', ({ resource, id, above }) => {
  const of = (verb: string): Operation =>
    OPERATIONS.find((operation) => operation.id === `${resource}.${verb}`) ?? expect.fail(verb);
  const [create, update, show, remove] = [of('create'), of('update'), of('show'), of('delete')];

  async function written(operation: Operation, input: DrawnInput): Promise<Record<string, unknown>> {
    const ran = await bench.run(['--yes', '--json', '--show-secrets', ...wordsFor(operation, input)]);
    expect([ran.code, ran.err]).toEqual([0, '']);
    const said: unknown = JSON.parse(ran.out);
    return typeof said === 'object' && said !== null ? (said as Record<string, unknown>) : {};
  }

  it('shows what was created, and then what was changed', async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(inputOf(create), inputOf(update), async (first, then) => {
        made += 1;
        const names = Object.keys(create.params.shape);
        const number = Object.hasOwn(create.body.shape, 'user_id') ? { user_id: String(700_000 + made) } : {};
        const creation = {
          ...own(first, names),
          ...number,
          ...(above[0] === undefined ? {} : { phonebook_id: above[0] }),
        };
        const key = (await written(create, creation))[id];
        const place = Object.fromEntries(
          Object.keys(show.params.shape).map((name, index) => [name, above[index] ?? key]),
        );
        expect(await written(show, place)).toMatchObject(stored(show, creation, names));
        const change = { ...own(then, Object.keys(update.params.shape)), ...('user_id' in then ? number : {}) };
        if (Object.keys(change).length > 0) await written(update, { ...change, ...place });
        expect(await written(show, place)).toMatchObject(stored(show, { ...creation, ...change }, names));
        await written(remove, place);
        expect((await bench.run(wordsFor(show, place))).code).toBe(1);
      }),
      runs(6),
    );
  });
});

/** The fields of the record itself; a dash would read standard input, and some fields must name what the account has. */
function own(input: DrawnInput, ids: readonly string[]): DrawnInput {
  const entries = Object.entries(input).filter(([name]) => !ids.includes(name));
  const known: DrawnInput = { customer_location_id: 1, caller_id: '61390004100' };
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value === '-' && name === 'password' ? 'x' : (known[name] ?? value)]),
  );
}

/** As the interface shows it: the password not at all, switches of extensions as 1 and 0. */
function stored(show: Operation, input: DrawnInput, ids: readonly string[]): Record<string, unknown> {
  const shape = (show.result as unknown as { shape: Record<string, { def: { type: string } }> }).shape;
  const entries = Object.entries(input).filter(([name]) => name !== 'password' && !ids.includes(name));
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      typeof value === 'boolean' && shape[name]?.def.type !== 'boolean'
        ? expect.toSatisfy((shown) => Boolean(Number(shown)) === value)
        : value,
    ]),
  );
}
