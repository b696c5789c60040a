/** `linewatch demo` on a terminal of the test's own, and without one. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { fakePlatform } from '../support/platform.ts';
import { waitingRoom } from '../support/waiting-room.ts';
import { ask } from '../web/open-web.ts';

interface Started {
  out(): string;
  /** Resolves with what the expression has found on the terminal. */
  shows(text: RegExp): Promise<RegExpExecArray>;
  type(text: string): void;
  interrupt(): void;
  ended: Promise<number>;
}

const started: Started[] = [];

/** As fast as it gets. */
function start(args: readonly string[], isTerminal: boolean): Started {
  const fake = fakePlatform({ argv: ['demo', '--speed', '1000', ...args], isTerminal, now: Date.now });
  const room = waitingRoom();
  const write = (text: string): void => {
    fake.out.write(text);
    room.look();
  };
  const out = (): string => fake.written().out;
  const demo: Started = {
    out,
    shows: (text) => room.until(String(text), () => text.exec(out()) ?? undefined),
    // The fake's input is one.
    type: (text) => void (fake.input.stream as PassThrough).write(text),
    interrupt: () => fake.signal('SIGINT'),
    ended: runCommand({ ...fake, out: { ...fake.out, colour: false, write } }, COMMANDS),
  };
  started.push(demo);
  return demo;
}

let folder: string;
let before: string | undefined;
beforeEach(async () => {
  before = process.env['TMPDIR'];
  folder = join(tmpdir(), `demo-${crypto.randomUUID()}`);
  await mkdir(folder);
  process.env['TMPDIR'] = folder;
});
afterEach(async () => {
  for (const { interrupt, ended } of started.splice(0)) {
    interrupt();
    await ended;
  }
  process.env['TMPDIR'] = before;
  await rm(folder, { recursive: true });
});

const INVITATION = /Open the page, or press Enter, and the night begins\./;
const COMMAND = /^ {2}(\S+) (alert ack (\d+) --config (\S+))$/m;
const PAGE = /page, to look at: (\S+)\/\n/;

const messages = (out: string): string[] => out.match(/^▌ \d\d:\d\d .*$/gm) ?? [];

describe('on a terminal', () => {
  test('the night waits for Enter, ends with an open alert, and stays for the command that it prints', async () => {
    const demo = start([], true);
    await demo.shows(INVITATION);
    demo.type('x');
    const [, page = ''] = await demo.shows(PAGE);
    expect((await ask(page, '/healthz')).status).toBe(200);
    expect((await ask(page, '/', { headers: { accept: '*/*' } })).body).toContain('head-office');
    expect(messages(demo.out())).toEqual([expect.stringContaining('For information')]);
    demo.type('\n');

    const [, , line = '', number = '', file = ''] = await demo.shows(COMMAND);
    await demo.shows(/Ctrl-C ends the demo/);
    expect(demo.out()).toMatch(
      new RegExp(`^Alert #${number} is still open: 19 of 19 phones at Carlton offline.$`, 'm'),
    );
    const another = fakePlatform({ argv: line.split(' '), userName: 'sam', now: Date.now });
    expect(await runCommand(another, COMMANDS)).toBe(0);
    expect(another.written()).toEqual({ out: expect.stringContaining(`#${number}`), err: '' });
    await demo.shows(/▌ sam has it: /);
    expect((await ask(page, '/')).body).toContain('sam');

    const shown = fakePlatform({ argv: ['alert', 'show', '3', '--config', file], now: Date.now });
    expect(await runCommand(shown, COMMANDS)).toBe(0);
    const { out: story } = shown.written();
    expect(story).toMatch(
      /\nWhat happened\n.*“After hours” has been OFF .*\n {6}off, expected on\n {6}told: mail, slack, terminal\n/,
    );
    expect(story).toMatch(/: “After hours” is ON again, as expected\n/);

    // Everything is in one folder, which is named once and goes with the demo.
    expect(demo.out().split(file.replace('/linewatch.yaml', ''))).toHaveLength(3);
    expect(existsSync(file)).toBe(true);
    demo.interrupt();
    expect(await demo.ended).toBe(0);
    expect(await readdir(folder)).toEqual([]);
    await expect(ask(page, '/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('the night begins as soon as a browser asks for the page', async () => {
    const demo = start([], true);
    const [, page = ''] = await demo.shows(PAGE);
    await demo.shows(INVITATION);
    expect(messages(demo.out())).toHaveLength(1);
    await ask(page, '/', { headers: { accept: 'text/html,application/xhtml+xml' } });
    await demo.shows(/Maintenance has started/);
  });

  test('Ctrl-C ends it at any time and leaves nothing behind', async () => {
    const waiting = start([], true);
    await waiting.shows(INVITATION);
    waiting.interrupt();
    expect(await waiting.ended).toBe(0);
    const telling = start([], true);
    await telling.shows(INVITATION);
    telling.type('\n');
    await telling.shows(/Inbound calls failing/);
    telling.interrupt();
    expect(await telling.ended).toBe(0);
    expect(telling.out()).not.toContain('That was the night');
    expect(await readdir(folder)).toEqual([]);
  });

  test('what is kept is named although it was cut short', async () => {
    const demo = start(['--keep'], true);
    await demo.shows(INVITATION);
    demo.interrupt();
    expect(await demo.ended).toBe(0);
    const [kept = ''] = await readdir(folder);
    expect(demo.out()).toContain(`${join(folder, kept)} (they stay there)`);
  });
});

describe('without a terminal', () => {
  test('nobody is waited for: the night ends by itself, and nothing is left behind', async () => {
    const demo = start([], false);
    expect(await demo.ended).toBe(0);
    expect(demo.out()).not.toMatch(INVITATION);
    expect(demo.out()).toMatch(/^That was the night\.\nAlert #4 is still open: 19 of 19 phones at Carlton offline\.$/m);
    expect(demo.out()).not.toContain(folder);
    expect(await readdir(folder)).toEqual([]);
  });
});
