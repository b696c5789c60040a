import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { fakePlatform, type FakePlatform } from '../support/platform.ts';

const folder = mkdtempSync(join(tmpdir(), 'provider-command-'));

afterAll(() => rmSync(folder, { recursive: true }));

/** Resolves once the command has printed where it answers. */
async function addressOf(platform: FakePlatform): Promise<string> {
  for (;;) {
    const [, address] = /status_base_url: (\S+)\n[^]*control: /.exec(platform.written().out) ?? [];
    if (address !== undefined) return address;
    await setImmediate();
  }
}

describe('provider', () => {
  it('answers until a signal ends it', async () => {
    const platform = fakePlatform({ argv: ['provider', '--seed', '7'] });
    const ended = runCommand(platform, COMMANDS);
    const address = await addressOf(platform);
    const answer = await fetch(`${address}/api/v1/status`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ page: { state: 'operational' } });
    const [, token = ''] = /^token: +(\S+)$/m.exec(platform.written().out) ?? [];
    const phones = await fetch(`${address}/api/v1/pbx/registrations`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(phones.status).toBe(200);
    platform.signal('SIGTERM');
    expect(await ended).toBe(0);
    await expect(fetch(`${address}/api/v1/status`)).rejects.toThrow('fetch failed');
  });

  it('prints its addresses for programs', async () => {
    const platform = fakePlatform({ argv: ['provider', '--json'] });
    const ended = runCommand(platform, COMMANDS);
    while (platform.written().out === '') await setImmediate();
    platform.signal('SIGINT');
    expect(await ended).toBe(0);
    const address: unknown = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(JSON.parse(platform.written().out)).toEqual({
      type: 'provider',
      status_base_url: address,
      base_url: address,
      token: expect.stringMatching(/\S/),
      control: expect.stringMatching(/\/_control$/),
    });
  });

  it("stands in for another vendor's page, beside the same account", async () => {
    const platform = fakePlatform({ argv: ['provider', '--as', 'feed'] });
    const ended = runCommand(platform, COMMANDS);
    const address = await addressOf(platform);
    expect(platform.written().out).toMatch(/^type: +feed\n/);
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/history\.atom$/);
    const answer = await fetch(address);
    expect(answer.headers.get('content-type')).toBe('application/atom+xml');
    platform.signal('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('says which vendors there are where it is asked for another', async () => {
    const platform = fakePlatform({ argv: ['provider', '--as', 'statuspag'] });
    expect(await runCommand(platform, COMMANDS)).toBe(2);
    expect(platform.written().err).toContain(
      "--as wants one of provider, statuspage, instatus, betterstack, statusio, statuscast, slack, google-cloud, aws, feed, not 'statuspag'",
    );
  });

  it('says that a port is taken', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const address = squatter.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const platform = fakePlatform({ argv: ['provider', '--port', port] });
    expect(await runCommand(platform, COMMANDS)).toBe(1);
    expect(platform.written()).toEqual({ out: '', err: `linewatch: port ${port} is taken\n` });
    squatter.close();
  });

  it.each([
    ['absent.yaml', null, 'cannot be read: there is no such file'],
    ['broken.yaml', 'name: x\nsteps: [{at: 1s, no_such_action: {}}]\n', 'broken.yaml:2:'],
  ])('refuses a scenario it cannot tell: %s', async (name, content, sentence) => {
    if (content !== null) writeFileSync(join(folder, name), content);
    const platform = fakePlatform({ argv: ['provider', '--scenario', name], cwd: folder });
    expect(await runCommand(platform, COMMANDS)).toBe(2);
    expect(platform.written().err).toContain(sentence);
    expect(platform.written().out).toBe('');
  });
});
