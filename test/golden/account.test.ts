/**
 * What `linewatch account` writes, word for word. After a deliberate change: `UPDATE_GOLDEN=1 npx vitest run --config
 * test/vitest.config.ts test/golden/account.test.ts`, and then read what changed.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountBench, type AccountBench } from '../support/account-bench.ts';
import type { FakeMachine } from '../support/platform.ts';

const FOLDER = new URL('account/', import.meta.url);
const updating = process.env['UPDATE_GOLDEN'] === '1';

const TERMINAL: FakeMachine = { isTerminal: true, typed: 'n\n' };
const COMMANDS: Readonly<Record<string, readonly [words: string[], machine: FakeMachine]>> = {
  help: [['--help'], {}],
  'help-of-a-resource': [['phonebook', '--help'], {}],
  'help-of-an-operation': [['voicemail-extensions', 'update', '--help'], {}],
  'help-of-a-special-case': [['registrations', 'delete', '--help'], {}],
  'extensions-on-a-terminal': [['extensions', 'list'], TERMINAL],
  'registrations-on-a-terminal': [['registrations', 'list'], TERMINAL],
  'messages-on-a-terminal': [['voicemail', 'list'], TERMINAL],
  'transcripts-on-a-terminal': [['call-transcripts', 'list', '--time-period', 'this_month'], TERMINAL],
  'phonebook-items-in-a-pipe': [['phonebook', 'items', 'list', '71'], {}],
  'chosen-columns': [['extensions', 'list', '--columns', 'user-id,voicemail'], {}],
  'one-extension': [['extensions', 'show', '40001'], TERMINAL],
  'one-skillset': [['skillsets', 'agent-status', 'show', 'Support'], TERMINAL],
  'toggles-as-json': [['action-toggles', 'list', '--json'], {}],
  'dry-run': [['extensions', 'update', '40001', '--vm-password', '0123', '--tolls', 'international', '--dry-run'], {}],
  'question-before-a-change': [
    ['extensions', 'update', '40001', '--name', 'Reception', '--agent-mode', 'on'],
    TERMINAL,
  ],
  'question-before-a-message': [
    ['sms', 'send', '--from', '+61480012345', '--to', '+61400000000', '--body', 'Hello'],
    TERMINAL,
  ],
  'question-before-a-reboot': [['registrations', 'delete', '--extension', '1001'], TERMINAL],
  'refused-by-the-provider': [['order-numbers', 'cancel', '61399999999', '--yes'], {}],
};

let bench: AccountBench;

beforeAll(async () => {
  bench = await accountBench();
  mkdirSync(FOLDER, { recursive: true });
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

it.each(Object.entries(COMMANDS))('%s', async (name, [words, machine]) => {
  const { code, out, err } = await bench.run(words, machine);
  const page = `$ linewatch account ${words.join(' ')}\n${out}${err === '' ? '' : `--- on stderr\n${err}`}--- exit code ${code}\n`;
  // The port is another each time; bold is shown as what it is.
  // oxlint-disable-next-line no-control-regex -- the mark of a terminal's sequences
  const text = page.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT').replaceAll(/\u001b\[(\d+)m/g, '<$1>');
  const file = new URL(`${name}.txt`, FOLDER);
  if (updating) writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
});

it('there is no page left of a command that is gone', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(
    Object.keys(COMMANDS)
      .map((name) => `${name}.txt`)
      .toSorted(),
  );
});
