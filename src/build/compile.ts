/** Creates the compile cache, so that a start compiles nothing. See `starter.js`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Once this line is logged, a start has run completely: sources were polled and receivers were tried. */
const HAS_RUN = 'delivery failed for now';

/**
 * Runs the program in `dist` once against a closed local port and stores the compiled code. Rejects if the program does
 * not run or logs something unexpected.
 */
export async function compileInto(dist: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'linewatch-build-'));
  try {
    const file = join(folder, 'linewatch.yaml');
    await writeFile(file, configuration(`http://127.0.0.1:${await closedPort()}`), { mode: 0o600 });
    const recorder = join(import.meta.dirname, 'compile-on-exit.js');
    const child = spawn(process.execPath, [recorder, dist, 'run', '--config', file], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'exit');
    let hasRun = false;
    for await (const line of createInterface({ input: child.stderr })) {
      if (hasRun || !line.includes(HAS_RUN)) continue;
      hasRun = true;
      // Sent once: a second signal would cut the shutdown short.
      child.kill('SIGTERM');
    }
    const [code] = (await ended) as [number | null];
    if (code !== 0) throw new Error(`the program ended with ${code} when it was to be compiled`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function configuration(url: string): string {
  return JSON.stringify({
    http: { listen: 'off' },
    status_pages: [{ name: 'page', base_url: url, interval: '1s', unreachable_after: '1s' }],
    accounts: [{ name: 'account', base_url: url, api_key: 'key', status_page: 'page' }],
    receivers: [
      { name: 'slack', type: 'slack', webhook_url: url },
      { name: 'bus', type: 'webhook', url },
    ],
    route: { receivers: ['slack', 'bus'], group_wait: '0s' },
  });
}
