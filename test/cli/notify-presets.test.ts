/** The media that are known, and a preset of one's own tried before it is configured. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { directoryOf } from '../config/loading.ts';
import { STAND_INS } from '../receivers/media/all.ts';
import { httpPeer, status, type HttpPeer } from '../receivers/http-peer.ts';
import { fakePlatform } from '../support/platform.ts';

async function run(cwd: string, ...argv: string[]): Promise<{ exit: number; out: string; err: string }> {
  const platform = fakePlatform({ argv, cwd });
  const exit = await runCommand(platform, COMMANDS);
  return { exit, ...platform.written() };
}

describe('notify presets', () => {
  test('lists every medium with what a success proves, within 80 columns', async () => {
    const { exit, out } = await run('/', 'notify', 'presets');
    expect(exit).toBe(0);
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line) => line.split(/ +/)[0])).toEqual(Object.keys(STAND_INS).toSorted());
    expect(lines).toContain('teams          accepted  Microsoft Teams');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test('says what one medium asks for, and what to write', async () => {
    const { exit, out } = await run('/', 'notify', 'presets', 'telegram');
    expect(exit).toBe(0);
    expect(out).toContain("token     The bot's token, from @BotFather. A secret.");
    expect(out).toContain('    token: ${credential:telegram-token}\n');
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test('knows no other', async () => {
    expect(await run('/', 'notify', 'presets', 'whatsapp')).toMatchObject({
      exit: 2,
      err: expect.stringContaining("there is no preset 'whatsapp'; there are: autotask, connectwise, discord,"),
    });
  });
});

describe('a preset of the user', () => {
  let peer: HttpPeer;
  let cwd: string;
  const page = readFileSync(join(import.meta.dirname, '../../docs/media.md'), 'utf8');
  const [, desk = ''] = /```text\n([^]*?)```/.exec(page) ?? [];

  beforeEach(async () => {
    peer = await httpPeer();
    cwd = await directoryOf({
      'desk.yaml': desk,
      'broken.yaml': desk.replace('{{headline}}', '{{headlin}}'),
      'other.yaml': desk.replace('  token:', '  key: { description: Another. }\n  token:'),
      'linewatch.yaml':
        'status_pages: [{ name: provider, base_url: https://status.example.com }]\n' +
        'receivers:\n' +
        `  - { name: desk, type: http, preset: ./desk.yaml, url: '${peer.url}/', token: hush-4711 }\n` +
        `  - { name: bus, type: webhook, url: '${peer.url}' }\n` +
        'route: { receivers: [desk, bus] }\n',
    });
  });
  afterEach(async () => await peer.close());

  test('as the documents show it is a medium without a line of code', async () => {
    peer.answer = status(200, '{"ok":true}');
    expect(await run(cwd, 'notify', 'test', 'desk')).toMatchObject({
      exit: 0,
      out: 'desk (http): taken, My desk answered 200\n',
    });
    const [request] = peer.received;
    expect(request).toMatchObject({ path: '/api/messages', headers: { authorization: 'Bearer hush-4711' } });
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      title: expect.stringContaining('Trouble'),
      priority: 1,
      key: expect.stringMatching(/^linewatch-/),
    });
    peer.answer = status(200, '{"ok":false}');
    expect(await run(cwd, 'notify', 'test', 'desk')).toMatchObject({
      exit: 1,
      out: 'desk (http): refused: My desk answered 200: the desk does not take the message\n',
    });
  });

  test.each([
    [['desk', '--preset-file', 'desk.yaml'], 0, /^desk \(http\): taken/, /^$/],
    [['desk', '--preset-file', 'none.yaml'], 2, /^$/, /none\.yaml: there is no such file/],
    [
      ['desk', '--preset-file', 'broken.yaml'],
      2,
      /^$/,
      /broken\.yaml:\d+:\d+: requests\.send\.json\.title: unknown placeholder .*did you mean "headline"/,
    ],
    [['desk', '--preset-file', 'other.yaml'], 2, /^$/, /receiver desk lacks what the preset asks for: key/],
    [['bus', '--preset-file', 'desk.yaml'], 2, /^$/, /--preset-file goes with the name of a receiver of type http/],
    [['--preset-file', 'desk.yaml'], 2, /^$/, /--preset-file goes with the name of a receiver of type http/],
  ])('is tried before it is configured: %j', async (words, exit, out, err) => {
    const said = await run(cwd, 'notify', 'test', ...words);
    expect(said).toEqual({ exit, out: expect.stringMatching(out), err: expect.stringMatching(err) });
  });
});
