/** Every row of the catalogue is reached from the command line, and answered by the embedded provider. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExample } from '../../../src/cli/account/help.ts';
import { listFields } from '../../../src/cli/account/operation-fields.ts';
import { findSpecial } from '../../../src/cli/account/operations.ts';
import { OWN_NAMES } from '../../../src/cli/account/parsed-options.ts';
import {
  accountBench,
  IDS,
  inputsFor,
  OPERATIONS,
  wordsFor,
  type AccountBench,
  type Inputs,
} from '../../support/account-bench.ts';
import { cases, isTried } from '../../support/runs.ts';

let bench: AccountBench;
let inputs: Inputs;

beforeAll(async () => {
  bench = await accountBench();
  inputs = inputsFor(bench.provider);
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

const rows = OPERATIONS.map((operation) => [operation.id, operation] as const);

it('there are 49 of them', () => {
  expect(rows).toHaveLength(49);
  expect(Object.keys(inputs)).toEqual(IDS);
});

// Before anything is deleted below.
const readable = rows.filter(([, { effect, resultKind }]) => effect === 'read' && resultKind === 'json');

it.each(cases(readable, 2))('%s gives programs JSON of the documented shape', async (id, operation) => {
  const words = wordsFor(operation, inputs[id as keyof Inputs]);
  const ran = await bench.run(['--json', '--show-secrets', ...words]);
  expect([ran.code, ran.err]).toEqual([0, '']);
  expect(operation.result.safeParse(JSON.parse(ran.out)).error).toBeUndefined();
});

describe.each(rows)('%s', (id, operation) => {
  const row = OPERATIONS.indexOf(operation);

  it.runIf(isTried(row, 0, 2))('asks the provider for exactly this, and shows what it says', async () => {
    const words = wordsFor(operation, inputs[id as keyof Inputs]);
    bench.asked();
    const ran = await bench.run(['--yes', ...words]);
    expect([ran.code, ran.err]).toEqual([0, '']);
    const [arrival, ...more] = bench.provider.simulator.log.all();
    expect(more).toEqual([]);
    expect(arrival).toMatchObject({ operation: id, method: operation.verbs[0], authorized: true, status: 200 });
    expect(ran.out.trim()).not.toBe('');
    expect(ran.out).not.toContain('planted-secret');
    expect(ran.out).not.toMatch(/\[object|undefined|NaN/);
  });

  it.runIf(isTried(row, 1, 2))(
    'explains itself: its summary, its warning, each id and field, and an example that works',
    async () => {
      const { code, out } = await bench.run([...operation.cli.resource, operation.cli.verb, '--help']);
      const said = out.replaceAll(/\s+/g, ' ');
      expect(code).toBe(0);
      expect(said).toContain(operation.summary);
      if (operation.warning !== null) expect(said).toContain(operation.warning);
      expect(said).toContain(`${operation.path} (specification ${operation.section})`);
      const { ids, fields } = listFields(operation);
      for (const field of fields) {
        expect(said).toContain(`--${field.name.replaceAll('_', '-')} `);
        expect(said).toContain(field.meaning);
      }
      if (findSpecial(operation) === null) {
        for (const field of ids) expect(said).toContain(`${field.name.toUpperCase()} `);
      }
      const words = findSpecial(operation)?.example ?? createExample(operation);
      bench.asked();
      const dry = await bench.run([...operation.cli.resource, operation.cli.verb, ...words, '--dry-run'], {
        typed: '1234\n',
      });
      expect([dry.code, dry.err.replace(/^ID stands .*\n/, '')]).toEqual([0, '']);
      expect(dry.out).toMatch(new RegExp(`^${operation.verbs[0]} http://127\\.0\\.0\\.1:\\d+/api/v1/`));
      expect(bench.asked()).toEqual([]);
    },
  );

  it('has no field that one of our own options would hide', () => {
    const names = listFields(operation).fields.map(({ name }) => name);
    expect(names.filter((name) => OWN_NAMES.includes(name))).toEqual([]);
  });
});

it('a transcript is streamed to the file it is asked into, and to standard output otherwise', async () => {
  const words = wordsFor(
    OPERATIONS.find(({ id }) => id === 'call-transcripts.download-vtt') ?? expect.fail('no such operation'),
    inputs['call-transcripts.download-vtt'],
  );
  const plain = await bench.run(words);
  expect(plain.out).toMatch(/^WEBVTT\n\n1\n00:00:00\.000 --> /);
  const ran = await bench.run(['--output', 'call.vtt', ...words]);
  expect(ran).toEqual({ code: 0, out: '', err: `call.vtt: ${Buffer.byteLength(plain.out)} bytes\n` });
  expect(await readFile(join(bench.directory, 'call.vtt'), 'utf8')).toBe(plain.out);
});
