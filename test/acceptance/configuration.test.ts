/** Wrong files: refused before anything starts, with the place, what is allowed and what was probably meant. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { startLinewatch, type Ended } from '../support/linewatch-process.ts';
import { fakePlatform } from '../support/platform.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linewatch-configuration-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** In this process: what a file is told is the same in either. */
async function checkedHere(file: string): Promise<Omit<Ended, 'signal'>> {
  const platform = fakePlatform({ argv: ['config', 'check', '--config', file], cwd: folder });
  return { code: await runCommand(platform, COMMANDS), ...platform.written() };
}

function linewatch(args: readonly string[], file: string): Promise<Ended> {
  return startLinewatch([...args, '--config', file], { cwd: folder }).ended;
}

const PAGE = 'status_pages: [{name: provider, base_url: "https://status.example.com"}]';
const SLACK = 'receivers: [{name: ops, type: slack, webhook_url: "https://hooks.slack.com/services/T/B/x"}]';
const ROUTE = 'route: {receivers: [ops]}';

test.each([
  ['a misspelt key', ['status_pagse: []'], /wrong\.yaml:1:1: .*did you mean "status_pages"/],
  [
    'a misspelt key inside',
    [PAGE, SLACK.replace('webhook_url', 'webhok_url'), ROUTE],
    /:2:\d+: receivers\[0\]\.webhok_url: .*did you mean "webhook_url"/,
  ],
  [
    'a value that is none of those allowed',
    [PAGE, 'log: {level: loud}'],
    /:2:14: log\.level: .*debug.*info.*warn.*error/,
  ],
  ['a receiver there is none of', [PAGE, SLACK, 'route: {receivers: [opps]}'], /:3:21: route\.receivers\[0\]: .*"ops"/],
  [
    'too many requests',
    [PAGE.replace('}]', ', requests_per_second: 6}]')],
    /:1:\d+: status_pages\[0\]\.requests_per_second: .*5/,
  ],
  [
    'an interval without a unit',
    [PAGE.replace('}]', ', interval: 30}]')],
    /:1:\d+: status_pages\[0\]\.interval: .*30s/,
  ],
  [
    'two sources of one name',
    ['status_pages:', '  - {name: a, base_url: "https://a.example"}', '  - {name: a, base_url: "https://b.example"}'],
    /:3:\d+: status_pages\[1\]\.name: .*"a"/,
  ],
  ['a key twice', [PAGE, 'instance: a', 'instance: b'], /:3:1: .*instance/],
  ['what is no YAML', [PAGE, 'receivers: [{name: ops'], /:\d+:\d+: .+/],
  ['a tab', ['status_pages:', '\t- name: a'], /:2:1: .*tab/i],
  ['a list in place of keys', ['- status_pages'], /:1:1: .+/],
  ['an unknown time zone', [PAGE, 'timezone: Australia/Melborne'], /:2:11: timezone: .*Australia\/Melbourne/],
  [
    'plain http to Slack',
    [PAGE, SLACK.replace('https:', 'http:'), ROUTE],
    /:2:\d+: receivers\[0\]\.webhook_url: .*https/,
  ],
  ['nothing at all', [''], /wrong\.yaml:1:1: .*empty/],
])('%s is refused with exit code 2', async (name, lines, told) => {
  const file = `${name.replaceAll(/\W+/g, '-')}.wrong.yaml`;
  await writeFile(join(folder, file), `${lines.join('\n')}\n`);
  const { code, out, err } = await checkedHere(file);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(told);
  expect(err).toMatch(/^linewatch: /);
  // A sentence, not a dump.
  expect(err).not.toMatch(/\bat .*:\d+:\d+\)|ZodError|undefined|\[object/);
});

test('several mistakes are told together, by run as by config check, and nothing is started', async () => {
  await writeFile(
    join(folder, 'several.yaml'),
    `${PAGE}\n${SLACK}\nlog: {level: loud}\nroute: {receivers: [opps]}\nstate_dir: 7\n`,
  );
  const [checked, ran] = await Promise.all([
    linewatch(['config', 'check'], 'several.yaml'),
    linewatch(['run'], 'several.yaml'),
  ]);
  expect(ran).toEqual(checked);
  expect([ran.code, ran.out]).toEqual([2, '']);
  expect(ran.err).toMatch(/several\.yaml:3:14: log\.level: .*\n.*several\.yaml:4:21: route\.receivers\[0\]: .*\n/);
  expect(existsSync(join(folder, 'state'))).toBe(false);
});

test('no receivers: good enough to check, not to run', async () => {
  await writeFile(join(folder, 'half.yaml'), `${PAGE}\n`);
  const checked = await linewatch(['config', 'check'], 'half.yaml');
  expect(checked.code).toBe(0);
  expect(checked.out).toContain('note: nobody is told: receivers and route missing');
  expect(await linewatch(['run'], 'half.yaml')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/receivers/),
  });
});

test('a secret that cannot be read: config check warns, run refuses', async () => {
  await writeFile(
    join(folder, 'secret.yaml'),
    `${[PAGE, SLACK.replace(/https:[^"]+/, '${env:NOT_SET}'), ROUTE].join('\n')}\n`,
  );
  const checked = await linewatch(['config', 'check'], 'secret.yaml');
  expect(checked.code).toBe(0);
  expect(checked.err).toMatch(/secret\.yaml:2:\d+: warning: receivers\[0\]\.webhook_url: .*NOT_SET/);
  const ran = await linewatch(['run'], 'secret.yaml');
  expect([ran.code, ran.out]).toEqual([2, '']);
  expect(ran.err).toMatch(/NOT_SET/);
});

test('a file that is not there, and none at all', async () => {
  expect(await linewatch(['run'], 'missing.yaml')).toMatchObject({
    code: 2,
    err: expect.stringContaining('missing.yaml'),
  });
  const { code, err } = await startLinewatch(['run'], { cwd: folder }).ended;
  expect(code).toBe(2);
  expect(err).toMatch(/linewatch\.yaml.*config init|config init.*linewatch\.yaml/s);
});

test('a right one: what would run', async () => {
  await writeFile(join(folder, 'right.yaml'), `${[PAGE, SLACK, ROUTE].join('\n')}\n`);
  const { code, out, err } = await linewatch(['config', 'check'], 'right.yaml');
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('status page provider: every 30s');
  expect(out).toContain('receiver ops: slack');
});
