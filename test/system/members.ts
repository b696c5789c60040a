/** Members of one installation, each a process of its own, with a database they reach through ways that can be cut. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import type { Wakeups } from '../../src/store/postgres/wakeups.ts';
import { createRandom } from '../../src/simulator/random.ts';
import type { Arrival } from '../../src/simulator/request-log.ts';
import { clockEnv } from '../support/clock-offset.ts';
import { startLinewatch, type Ended, type LinewatchProcess } from '../support/linewatch-process.ts';
import type { SiteConfig } from '../support/site.ts';
import { startPooler, type Pooler } from './pooler.ts';
import type { RealPostgres } from './real-postgres.ts';

/**
 * `silent`: nothing passes and nobody hears why; `half`: what is asked arrives, the answers do not; `slow`: everything
 * arrives late; `lossy`: much of it has to be sent again, and some connections break; `refuses`: connections are reset.
 */
type Passage = 'open' | 'silent' | 'half' | 'slow' | 'lossy' | 'refuses';

/** Longer both ways than a statement may take. */
const LATE_MS = 450;

/** What is lost is sent again, and what follows waits for it. */
const LOSSY = { lost: 0.3, againMs: 200, most: 4, breaks: 0.02, seed: 7 } as const;

/** Loaded by each of them. */
const MOVED_CLOCK = fileURLToPath(new URL('inside/moved-clock.js', import.meta.url));

const SHOWN_WITHIN_MS = 180_000;

/** A way to a port of this machine. */
export interface Way extends AsyncDisposable {
  port: number;
  let(passage: Passage): void;
  /** Nobody listens there for as long as it lasts, as where the database itself is down. */
  shutWhile(work: () => Promise<void>): Promise<void>;
  /** Resolves once the connections through it are closed, and what came by them has been sent on. */
  closed(): Promise<void>;
}

export async function openWay(to: number): Promise<Way> {
  const sockets = new Set<Socket>();
  const random = createRandom(LOSSY.seed);
  let passage: Passage = 'open';
  const server = createServer((near) => {
    if (passage === 'refuses') return void near.resetAndDestroy();
    const far = connect(to, '127.0.0.1');
    for (const [from, into, isAnswer] of [
      [near, far, false],
      [far, near, true],
    ] as const) {
      sockets.add(from);
      from.on('error', () => into.destroy());
      from.on('close', () => {
        sockets.delete(from);
        // Its last words come through.
        into.destroySoon();
      });
      let before: Promise<unknown> = Promise.resolve();
      from.on('data', (piece) => {
        if (passage === 'lossy') {
          if (random.chance(LOSSY.breaks)) return void from.resetAndDestroy();
          const ms = random.chance(LOSSY.lost) ? LOSSY.againMs * random.whole(1, LOSSY.most) : 0;
          before = before.then(() => sleep(ms)).then(() => into.write(piece));
        } else if (passage === 'slow') setTimeout(() => into.write(piece), LATE_MS);
        else if (passage === 'open' || (passage === 'half' && !isAnswer)) into.write(piece);
      });
    }
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => void server.listen(port, '127.0.0.1', resolve));
  const shut = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async shutWhile(work) {
      await shut();
      try {
        await work();
      } finally {
        await listen(port);
      }
    },
    async closed() {
      await Promise.all(
        [...sockets].map((socket) => new Promise<void>((resolve) => void socket.once('close', () => resolve()))),
      );
    },
    let(next) {
      // What was swallowed is missing, and what is late would be overtaken: such a connection is of no use any more.
      if (next === 'refuses' || passage !== 'open') for (const socket of sockets) socket.resetAndDestroy();
      passage = next;
    },
    [Symbol.asyncDispose]: shut,
  };
}

/** A way to the database that lets no notification through. */
export const DEAF: Pick<Wakeups, 'next' | 'comeThrough' | 'wake'> = {
  next: () => new AbortController().signal,
  comeThrough: false,
  wake: () => Promise.resolve(),
};

export interface Member extends AsyncDisposable {
  readonly name: string;
  readonly way: Way;
  /** On its own machine; null for none. */
  readonly pooler: Pooler | null;
  /** The process of now; a killed one until it is started anew. */
  readonly process: LinewatchProcess;
  /** `program`: another build from now on. */
  start(program?: string): Promise<void>;
  /** As a clean stop does. */
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** Its wall clock is off by so much from now on. */
  moveClock(byMs: number): Promise<void>;
  /** Runs another command with its configuration to its end. */
  run(...args: string[]): Promise<Ended>;
  /**
   * Standard output of a command that only shows something. Runs it again where the process did not answer in time, as
   * beside a heavy load.
   */
  shows(...args: string[]): Promise<string>;
  /** Another configuration from now on; it is not told so. */
  configure(config: SiteConfig): Promise<void>;
}

/** `shards` may be left out; `config` is that of the installation, without its database. */
export async function startMember(
  name: string,
  database: URL,
  config: SiteConfig,
  lease: string,
  shards?: number,
  hasOwnPooler = false,
): Promise<Member> {
  const folder = await mkdtemp(join(tmpdir(), `linewatch-member-`));
  const way = await openWay(Number(database.port));
  const url = new URL(database);
  const pooler = hasOwnPooler ? await startPooler(way.port) : null;
  url.port = String((pooler ?? way).port);
  const file = join(folder, 'linewatch.yaml');
  const own = { url: url.href, lease, member: name, ...(shards !== undefined && { shards }) };
  const configure = (of: SiteConfig): Promise<void> =>
    writeFile(file, stringify({ ...of, database: own }), { mode: 0o600 });
  await configure(config);
  let program: string | undefined;
  const clock = join(folder, 'clock');
  const env = { ...clockEnv(MOVED_CLOCK), MOVED_CLOCK: clock };
  const launch = (): LinewatchProcess =>
    startLinewatch(['run', '--config', file], { cwd: folder, env, ...(program !== undefined && { program }) });
  let running = launch();
  await running.logged('standing by');

  const run = (...args: string[]): Promise<Ended> => startLinewatch([...args, '--config', file], { cwd: folder }).ended;

  async function shows(...args: string[]): Promise<string> {
    const until = performance.now() + SHOWN_WITHIN_MS;
    for (;;) {
      const { out, err } = await run(...args);
      if (out !== '') return out;
      if (performance.now() > until) throw new Error(`linewatch ${args.join(' ')} shows nothing: ${err}`);
    }
  }

  async function kill(): Promise<void> {
    running.signal('SIGKILL');
    await running.ended;
  }

  return {
    name,
    way,
    pooler,
    get process() {
      return running;
    },
    async stop() {
      running.signal('SIGTERM');
      await running.ended;
    },
    async start(other) {
      program = other ?? program;
      running = launch();
      await running.logged('standing by');
    },
    kill,
    async moveClock(byMs) {
      await writeFile(clock, String(byMs));
      running.signal('SIGUSR2');
    },
    run,
    shows,
    configure,
    async [Symbol.asyncDispose]() {
      await kill();
      await pooler?.[Symbol.asyncDispose]();
      await way[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Between two requests, in milliseconds. */
export function longestGap(arrivals: readonly Arrival[]): number {
  const gaps = arrivals.slice(1).map(({ at }, index) => at - (arrivals[index]?.at ?? at));
  return Math.max(0, ...gaps);
}

/** By group, by the database. */
export async function holdersOfGroups({ ask }: Pick<RealPostgres, 'ask'>): Promise<Record<string, string>> {
  const rows = await ask(
    `select substring(name from 7), split_part(holder, '/', 1) from linewatch_lease
      where name like 'group %' and holder is not null and expires_at > clock_timestamp() order by name`,
  );
  return Object.fromEntries(rows.split('\n').map((row) => row.split('|') as [string, string]));
}
