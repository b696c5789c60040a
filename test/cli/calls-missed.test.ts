/** `linewatch calls missed` beside a daemon that has no calls of an alert. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { CONTROL_SOCKET } from '../../src/control/protocol.ts';
import { serveControl, type ControlServer } from '../../src/control/server.ts';
import type { DaemonContract } from '../../src/daemon/requests/control.ts';
import { fakePlatform } from '../support/platform.ts';

let cwd: string;
let control: ControlServer;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'linewatch-calls-'));
  const file = join(cwd, 'linewatch.yaml');
  await writeFile(file, JSON.stringify({ state_dir: cwd, status_pages: [] }));
  control = await serveControl<Pick<DaemonContract, 'whose' | 'calls.missed'>>({
    path: join(cwd, CONTROL_SOCKET),
    routes: {
      whose: () => Promise.resolve({ file, timezone: 'UTC', state: 'files' }),
      'calls.missed': () => Promise.resolve([]),
    },
    onFailure(request, error) {
      throw new Error(request, { cause: error });
    },
  });
});

afterEach(async () => {
  await control.close(0);
  await rm(cwd, { recursive: true });
});

async function missed(...argv: string[]): Promise<{ exit: number; out: string; err: string }> {
  const platform = fakePlatform({ argv: ['calls', 'missed', ...argv], cwd });
  return { exit: await runCommand(platform, COMMANDS), ...platform.written() };
}

test('refuses an alert that has no calls', async () => {
  expect(await missed('--alert', '7')).toEqual({
    exit: 1,
    out: '',
    err: expect.stringContaining('There is no alert #7 of lost phones or a switch whose calls are watched.') as string,
  });
});

test('says of a span that no calls are watched', async () => {
  expect(await missed('--since', '2h')).toMatchObject({ exit: 0, out: 'No account’s calls are watched.\n' });
});
