/** What holds for every command: help, streams, colours, and a reader who leaves. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/registry.ts';
import { startLinewatch, type Ended, type Surroundings } from '../support/linewatch-process.ts';
import { cases } from '../support/runs.ts';
import { openSite } from '../support/site.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linewatch-command-line-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

function linewatch(args: readonly string[], more: Partial<Surroundings> = {}): Promise<Ended> {
  return startLinewatch(args, { cwd: folder, ...more }).ended;
}

test.concurrent.each(cases(COMMANDS, 6).map(({ name }) => name))(
  '%s --help explains the command with an example',
  async (name) => {
    const { code, out, err } = await linewatch([...name.split(' '), '--help']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(new RegExp(`^Usage: linewatch ${name}`));
    expect(out).toContain(`\n  linewatch ${name}`);
    expect(out).not.toContain('\u001B');
  },
);

test.concurrent('nothing typed: what there is, on stderr, and exit code 2', async () => {
  const { code, out, err } = await linewatch([]);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(/^Usage: linewatch/);
});

test.concurrent('mistakes are told in a sentence with what was probably meant', async () => {
  expect(await linewatch(['chek'])).toMatchObject({
    code: 2,
    out: '',
    err: "linewatch: unknown command 'chek'; did you mean check?\n",
  });
  expect(await linewatch(['status', '--jsno'])).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('did you mean --json?'),
  });
  expect(await linewatch(['demo', '--speed', 'fast'])).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/^linewatch: --speed .*\n$/),
  });
});

test.concurrent('a reader that leaves early is no error', async () => {
  await using site = await openSite();
  await site.save();
  const commands = [['--help'], ['status', '--config', join(site.folder, 'linewatch.yaml')], ['config', 'schema']];
  for (const args of cases(commands, 2)) {
    expect(await linewatch(args, { deaf: true })).toMatchObject({ code: 0, signal: null, err: '' });
  }
  const { code, err } = await linewatch(['check', '--config', join(site.folder, 'linewatch.yaml')], { deaf: true });
  expect([code, err]).toEqual([0, '']);
});
