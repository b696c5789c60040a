/** `linewatch silence add` asks a daemon that has as many silences as there may be, over its socket. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { CONTROL_SOCKET } from '../../src/control/protocol.ts';
import { serveControl } from '../../src/control/server.ts';
import { createSingleDaemon } from '../../src/daemon/status/daemons.ts';
import { createControlRoutes, type DaemonContract } from '../../src/daemon/requests/control.ts';
import type { RequestContext } from '../../src/daemon/requests/request.ts';
import { startProvider } from '../../src/simulator/embedded-provider.ts';
import { fakePlatform } from '../support/platform.ts';
import { runDaemon } from '../support/running-daemon.ts';
import { fillSilences } from '../support/silences.ts';

type StatusAnswer = DaemonContract['status']['answer'];

test('the thousand-and-first silence is refused in a sentence, and taken once another has ended', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'linewatch-silences-'));
  const file = join(cwd, 'linewatch.yaml');
  await writeFile(file, JSON.stringify({ state_dir: cwd, status_pages: [] }));
  const provider = await startProvider();
  const running = await runDaemon({ statusUrl: provider.statusUrl, startAt: Date.parse('2026-03-02T09:00:00.000Z') });
  const { clock, daemon } = running;
  const whose = { file, timezone: 'UTC', state: 'files' as const };
  const control = await serveControl({
    path: join(cwd, CONTROL_SOCKET),
    routes: {
      ...createControlRoutes({ daemons: createSingleDaemon(() => daemon), now: clock.now } as RequestContext),
      whose: () => Promise.resolve(whose),
      status: () => Promise.resolve({ linewatch: { alerts: [], unsaved: [] } } as unknown as StatusAnswer),
    },
    onFailure: (request, error) => {
      throw new Error(request, { cause: error });
    },
  });
  const linewatch = async (...argv: string[]): Promise<{ exit: number; out: string; err: string }> => {
    const platform = fakePlatform({ argv: ['silence', ...argv], cwd, now: clock.now });
    const exit = await runCommand(platform, COMMANDS);
    return { exit, ...platform.written() };
  };
  const add = ['add', '--match', 'component=SMS', '--for', '1h', '--comment', 'one too many'];
  await fillSilences(running);
  const refused = await linewatch(...add);
  expect(refused).toMatchObject({ exit: 1, out: '' });
  expect(refused.err).toContain(
    'There are 1,000 silences, and there can be no more: expire one, or let one end, before you add another.',
  );
  expect(daemon.own.state.silences).toHaveLength(1_000);
  expect((await linewatch('expire', daemon.own.state.silences[0]?.id ?? '')).exit).toBe(0);
  const taken = await linewatch(...add);
  expect(taken).toMatchObject({ exit: 0, err: '' });
  expect(taken.out).toContain('component=SMS');
  await control.close(0);
  await running.stop();
  await provider.close();
  await rm(cwd, { recursive: true });
});
