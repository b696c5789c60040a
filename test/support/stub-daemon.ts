/** A daemon of routes alone, asked by commands over its socket. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { CONTROL_SOCKET, type ControlRoutes } from '../../src/control/protocol.ts';
import { serveControl } from '../../src/control/server.ts';
import type { DaemonContract } from '../../src/daemon/requests/control.ts';
import { fakePlatform } from './platform.ts';

export interface StubDaemon {
  linewatch(...argv: string[]): Promise<{ exit: number; out: string; err: string }>;
  close(): Promise<void>;
}

export interface StubOptions {
  routes: Partial<ControlRoutes<DaemonContract>>;
  /** Keys of the configuration file beside the folder of the state. */
  config?: object;
  /** Time of the commands, epoch milliseconds; default: 2026. */
  now?: number;
}

export async function startStubDaemon({
  routes,
  config = {},
  now = Date.UTC(2026, 0, 1),
}: StubOptions): Promise<StubDaemon> {
  const cwd = await mkdtemp(join(tmpdir(), 'linewatch-stub-'));
  const file = join(cwd, 'linewatch.yaml');
  await writeFile(file, JSON.stringify({ state_dir: cwd, status_pages: [], ...config }));
  const control = await serveControl({
    path: join(cwd, CONTROL_SOCKET),
    routes: {
      whose: () => Promise.resolve({ file, timezone: 'UTC', state: 'files' }),
      ...routes,
    } as ControlRoutes<DaemonContract>,
    onFailure(request, error) {
      throw new Error(request, { cause: error });
    },
  });
  return {
    async linewatch(...argv) {
      const platform = fakePlatform({ argv, cwd, now: () => now });
      const exit = await runCommand(platform, COMMANDS);
      return { exit, ...platform.written() };
    },
    async close() {
      await control.close(0);
      await rm(cwd, { recursive: true });
    },
  };
}
