/** PgBouncer of the machine in transaction mode, on a port of its own, as members have one on each of their machines. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { closedPort } from '../support/http-receiver.ts';

const PROGRAM = '/usr/sbin/pgbouncer';
const STARTS_WITHIN_MS = 30_000;

export const hasPooler = existsSync(PROGRAM);

export interface Pooler extends AsyncDisposable {
  port: number;
  /** As a crash ends it; nobody listens there for so long. */
  restart(awayMs: number): Promise<void>;
}

/** In front of a database at this port. */
export async function startPooler(to: number): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'linewatch-pooler-'));
  const port = await closedPort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, settings({ folder, port, to }));
  const as = unprivileged();
  if (as !== undefined) for (const path of [folder, file]) chownSync(path, as.uid, as.gid);
  let running: ChildProcess | null = null;

  async function start(): Promise<void> {
    running = spawn(PROGRAM, ['-q', file], { ...as, cwd: folder, stdio: 'ignore' });
    const until = performance.now() + STARTS_WITHIN_MS;
    while (!(await isListening(port))) {
      if (performance.now() > until) throw new Error('pgbouncer does not listen');
      await sleep(50);
    }
  }

  async function kill(): Promise<void> {
    if (running === null || running.exitCode !== null || running.signalCode !== null) return;
    const exited = once(running, 'exit');
    running.kill('SIGKILL');
    await exited;
  }

  await start();
  return {
    port,
    async restart(awayMs) {
      await kill();
      await sleep(awayMs);
      await start();
    },
    async [Symbol.asyncDispose]() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function settings({ folder, port, to }: { folder: string; port: number; to: number }): string {
  return `[databases]
postgres = host=127.0.0.1 port=${to} dbname=postgres user=linewatch
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 12
server_login_retry = 1
ignore_startup_parameters = options
logfile = ${folder}/log
pidfile =
`;
}

/** It refuses to run as root. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string): number =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout.trim());
  return { uid: idOf('-u'), gid: idOf('-g') };
}
