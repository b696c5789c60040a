/** Tables on a terminal: our own colours reach it, and nothing of the provider's does. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountBench, type AccountBench } from '../../support/account-bench.ts';

const ESCAPE = '\u001b';
let bench: AccountBench;

beforeAll(async () => {
  bench = await accountBench();
  const made = await bench.run(['phonebook', 'create', '--name', `Suppliers ${ESCAPE}[31mred`, '--yes']);
  expect(made.code).toBe(0);
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

it('a table has bold headings and no codes to read', async () => {
  const { code, out } = await bench.run(['phonebook', 'list'], { isTerminal: true });
  expect(code).toBe(0);
  expect(out).toContain(`${ESCAPE}[1mname${ESCAPE}[22m`);
  expect(out).not.toContain('\\u001b');
  expect(out).toContain('Suppliers');
  expect(out).not.toContain(`${ESCAPE}[31m`);
});

it('JSON on a terminal shows what a terminal would obey', async () => {
  const { out } = await bench.run(['phonebook', 'list', '--json'], { isTerminal: true });
  expect(out).toContain(String.raw`Suppliers \u001b[31mred`);
  expect(out).not.toContain(ESCAPE);
});
