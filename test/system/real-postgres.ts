/** PostgreSQL of the machine, in a directory and on a port of its own, as a user without rights. */
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openDatabase, type Database } from '../../src/store/postgres/connection.ts';
import { prepareTables } from '../../src/store/postgres/tables.ts';
import { closedPort } from '../support/http-receiver.ts';

export interface RealPostgres extends AsyncDisposable {
  /** Of a user who may do everything in it. */
  url: string;
  port: number;
  /** As a crash of its machine ends it. */
  kill(): Promise<void>;
  /** As its administrator ends it. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /**
   * Its machine fails, and a copy is promoted at the same address, which lacks what `meanwhile` has written. Replication
   * slots are lost.
   */
  failOver(meanwhile?: () => Promise<void>): Promise<void>;
  /** None of its processes runs for as long as it lasts; connections stay. */
  frozenWhile(work: () => Promise<void>): Promise<void>;
  /** What `psql` prints for a statement, unaligned, without headings. */
  sql(statement: string): string;
  /** The same while this process goes on: the ways of members to the database pass through it. */
  ask(statement: string): Promise<string>;
  /** What another of its programs prints, which connects by itself. */
  run(program: string, ...args: string[]): string;
}

const [BIN] = globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed();
/** Why it cannot run here; null where it can. */
export const whyNoPostgres = BIN === undefined ? 'postgresql is not on this machine' : null;

export interface PreparedPostgres {
  postgres: RealPostgres;
  /** With the tables of this version. */
  database: Database;
  /** Ends both. */
  close(): Promise<void>;
}

export async function startPreparedPostgres(): Promise<PreparedPostgres> {
  const postgres = await startPostgres();
  const database = await openDatabase({ url: postgres.url, timeoutMs: 5_000 });
  await prepareTables(database);
  return {
    postgres,
    database,
    async close() {
      await database.close();
      await postgres[Symbol.asyncDispose]();
    },
  };
}

export async function startPostgres(): Promise<RealPostgres> {
  if (BIN === undefined) throw new Error('postgresql is not on this machine');
  const folder = mkdtempSync(join(tmpdir(), 'linewatch-postgres-'));
  let data = join(folder, 'data');
  let copies = 0;
  const as = unprivileged();
  if (as !== undefined) chownSync(folder, as.uid, as.gid);
  const options = { ...as, encoding: 'utf8', cwd: folder } as const;
  const made = spawnSync(
    join(BIN, 'initdb'),
    ['-D', data, '-U', 'linewatch', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    options,
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
  const port = await closedPort();
  writeFileSync(join(data, 'postgresql.auto.conf'), settings(port, folder));
  let server: ChildProcess | null = null;

  const env = {
    ...process.env,
    PGHOST: '127.0.0.1',
    PGPORT: String(port),
    PGUSER: 'linewatch',
    PGDATABASE: 'postgres',
  };

  function run(program: string, ...args: string[]): string {
    const { status, stdout, stderr } = spawnSync(join(BIN ?? '', program), args, { ...options, env });
    if (status !== 0) throw new Error(`${program}: ${stderr}`);
    return stdout.trim();
  }

  const sql = (statement: string): string => run('psql', '-AtX', '-c', statement);

  async function ask(statement: string): Promise<string> {
    const { stdout } = await promisify(execFile)(join(BIN ?? '', 'psql'), ['-AtX', '-c', statement], {
      ...options,
      env,
    });
    return stdout.trim();
  }

  async function start(): Promise<void> {
    server = spawn(join(BIN ?? '', 'postgres'), ['-D', data], { ...as, cwd: folder, stdio: 'ignore' });
    const until = performance.now() + 30_000;
    for (;;) {
      if (existsSync(join(data, 'postmaster.pid'))) {
        try {
          sql('select 1');
          return;
        } catch (error) {
          if (performance.now() > until) throw error;
        }
      }
      await sleep(50);
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
  }

  async function failOver(meanwhile?: () => Promise<void>): Promise<void> {
    const copy = join(folder, `copy-${(copies += 1)}`);
    await promisify(execFile)(join(BIN ?? '', 'pg_basebackup'), ['-D', copy, '-R', '-c', 'fast'], { ...options, env });
    await meanwhile?.();
    await end('SIGQUIT');
    data = copy;
    await start();
    await ask('select pg_promote()');
  }

  /** Its own and those of its connections, which are its children. */
  function processes(): number[] {
    const pid = server?.pid ?? 0;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return [pid, ...children.split(' ').filter(Boolean).map(Number)];
  }

  await start();
  return {
    async frozenWhile(work) {
      const frozen = processes();
      for (const pid of frozen) process.kill(pid, 'SIGSTOP');
      try {
        await work();
      } finally {
        for (const pid of frozen.toReversed()) process.kill(pid, 'SIGCONT');
      }
    },
    url: `postgres://linewatch@127.0.0.1:${port}/postgres`,
    port,
    sql,
    ask,
    run,
    start,
    failOver,
    // Its own immediate shutdown: killed alone it would leave its children to write on.
    kill: () => end('SIGQUIT'),
    // Its fast shutdown: whoever is connected is told.
    stop: () => end('SIGINT'),
    async [Symbol.asyncDispose]() {
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Without `fsync`: its machine never fails here, and whatever else writes to the disk would delay each commit. */
function settings(port: number, folder: string): string {
  return `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${folder}'\nshared_buffers = '16MB'\nmax_connections = 60\nwal_level = logical\nfsync = off\n`;
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string): number =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout.trim());
  return { uid: idOf('-u'), gid: idOf('-g') };
}
