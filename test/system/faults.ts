/** Faults of members, of their ways to the database, and of the database, one after the other, and what each has cost. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/store/postgres/connection.ts';
import { createRandom, type Random } from '../../src/simulator/random.ts';
import { followFault } from './fault-logs.ts';
import { longestGap, type Member } from './members.ts';
import { closeAll, openAll, type Notice, type WatchedPage } from './told.ts';
import { LEASE_MS, MINUTE, type Watch } from './watch.ts';

export const FAULT_KINDS = [
  'kill',
  'database',
  'silent',
  'locked',
  'slow',
  'restart',
  'pause',
  'half',
  'refuses',
  'shut',
  'stop',
  'frozen',
  'pooler',
  'lossy',
  'full',
  'clock',
  'failover',
  'own clock',
] as const;
type Fault = (typeof FAULT_KINDS)[number];

/** `LINEWATCH_KINDS` names those to play, with commas; default: all. */
const PLAYED =
  process.env['LINEWATCH_KINDS']?.split(',').flatMap((name) => FAULT_KINDS.filter((kind) => kind === name)) ??
  FAULT_KINDS;

/** The pooler holds the saves of its leader. */
const BEHIND_POOLER = ' behind a pooler';

/** What one fault has cost. */
export interface Cost {
  fault: string;
  /** How many leases the member that was hit held. */
  held: number;
  /** Between two looks at the notices of a page, the longest. */
  unwatchedMs: number;
  /** From the opening of a notice at each page about then until the bus had all of them. */
  toldAfterMs: number;
  /** Posts with something that was told before. */
  toldTwice: number;
}

const HOUR_MS = 3_600_000;

type Deeds = Record<Fault, (one: Member) => Promise<void>>;

/** All members are refused for as long as it lasts. */
async function whileShut(members: readonly Member[], work: () => Promise<void>): Promise<void> {
  const [member, ...others] = members;
  if (member === undefined) return await work();
  await member.way.shutWhile(async () => await whileShut(others, work));
}

/** The database is down for as long as it lasts, and is started again afterwards. */
export async function whileDown({ postgres, members }: Watch, work: () => Promise<void>): Promise<void> {
  // It says so to whoever is connected; whoever is refused only may be cut off himself.
  await postgres.kill();
  try {
    await whileShut(members, work);
  } finally {
    await postgres.start();
  }
}

/** Another user of the database holds the documents: nobody can save one for as long as it lasts. */
export async function whileLocked({ postgres }: Watch, work: () => Promise<void>): Promise<void> {
  const database = await openDatabase({ url: postgres.url, timeoutMs: MINUTE, connections: 1 });
  await database.together('lock', async (ask) => {
    await ask('lock', 'lock table linewatch_document in exclusive mode');
    await work();
  });
  await database.close();
}

/** Whatever anybody writes is refused for so long, as by a disk that is full. */
async function fillDisk({ postgres }: Watch, ms: number): Promise<void> {
  const tables = ['document', 'lease', 'member', 'transition', 'state', 'delivery', 'number', 'ask'];
  const each = (statement: string): string => tables.map((table) => `${statement} linewatch_${table}`).join(';');
  await postgres.ask(`create or replace function refuse() returns trigger language plpgsql as
    $$ begin raise exception using errcode = 'disk_full', message = 'No space left on device'; end $$`);
  const refusing = each('create trigger full_disk before insert or update on').replaceAll(
    /(linewatch_\w+)/g,
    '$1 execute function refuse()',
  );
  await postgres.ask(refusing);
  await sleep(ms);
  await postgres.ask(each('drop trigger full_disk on'));
}

/** The clock of the database is wrong for two leases, and right again. */
async function moveClock({ postgres }: Watch, byMs: number): Promise<void> {
  await postgres.ask(`create or replace function public.clock_timestamp() returns timestamptz language sql volatile
    as $$ select pg_catalog.clock_timestamp() + interval '${byMs} milliseconds' $$`);
  await sleep(2 * LEASE_MS);
  await postgres.ask(`create or replace function public.clock_timestamp() returns timestamptz language sql volatile
    as $$ select pg_catalog.clock_timestamp() $$`);
}

/** The clock of one is wrong for two leases, and right again. */
async function moveOwnClock(one: Member, byMs: number): Promise<void> {
  await one.moveClock(byMs);
  await sleep(2 * LEASE_MS);
  await one.moveClock(0);
}

function deedsOf(watch: Watch, random: Random): Deeds {
  const { postgres, members } = watch;

  async function cutOff({ way }: Member, how: Parameters<Member['way']['let']>[0]): Promise<void> {
    way.let(how);
    await sleep(2 * LEASE_MS);
    way.let('open');
  }

  return {
    async kill(one) {
      await one.kill();
      await sleep(LEASE_MS);
      await one.start();
    },
    async stop(one) {
      await one.stop();
      await one.start();
    },
    async pause(one) {
      one.process.signal('SIGSTOP');
      await sleep(2 * LEASE_MS);
      one.process.signal('SIGCONT');
    },
    silent: (one) => cutOff(one, 'silent'),
    half: (one) => cutOff(one, 'half'),
    slow: (one) => cutOff(one, 'slow'),
    refuses: (one) => cutOff(one, 'refuses'),
    shut: ({ way }) => way.shutWhile(async () => await sleep(2 * LEASE_MS)),
    lossy: (one) => cutOff(one, 'lossy'),
    full: () => fillDisk(watch, 2 * LEASE_MS),
    clock: () => moveClock(watch, random.chance(0.5) ? HOUR_MS : -HOUR_MS),
    failover: () => whileShut(members, watch.failOver),
    'own clock': (one) => moveOwnClock(one, random.chance(0.5) ? HOUR_MS : -HOUR_MS),
    database: () => whileDown(watch, async () => await sleep(2 * LEASE_MS)),
    async restart() {
      await postgres.stop();
      await postgres.start();
    },
    locked: () => whileLocked(watch, () => sleep(2 * LEASE_MS)),
    frozen: () => postgres.frozenWhile(async () => await sleep(LEASE_MS / 2)),
    async pooler() {
      for (const { pooler } of members) await pooler?.restart(LEASE_MS);
    },
  };
}

/** Decides on moments and members; `LINEWATCH_SEED` is a number for others. */
const SEED = Number(process.env['LINEWATCH_SEED'] ?? 20_261_122);

/** Every kind in turn, from `first`. What was opened meanwhile is closed by then, and told. */
export async function playFaults(
  watch: Watch,
  { first, count }: { first: number; count: number },
): Promise<{ costs: Cost[]; opened: Notice[] }> {
  const { members, pages, told } = watch;
  const random = createRandom(SEED);
  const deeds = deedsOf(watch, random);
  const [costs, opened]: [Cost[], Notice[]] = [[], []];
  for (let fault = first; fault < first + count; fault += 1) {
    const kind = PLAYED[fault % PLAYED.length] ?? 'kill';
    if (kind === 'database') await watch.settled();
    const leads = Object.values(await watch.allLed());
    // Mostly one that leads, sometimes any.
    const lead = watch.member(leads[random.whole(0, leads.length - 1)] ?? '');
    const hit = random.chance(0.8) ? lead : (members[random.whole(0, members.length - 1)] ?? lead);
    const held = leads.filter((name) => name === hit.name).length;
    const isPooled = kind === 'database' && leads.some((name) => watch.member(name).pooler !== null);
    const before = told.twice();
    const asked = looksAt(pages);
    const keepLogs = followFault(watch);
    // One before the other, by chance: it is seen, written or being told when the fault comes.
    const [opens, strikes] = [random.next() * LEASE_MS, random.next() * LEASE_MS];
    const change = sleep(opens).then(() => openAll(watch, pages, `Trouble ${fault}`));
    await sleep(strikes);
    await deeds[kind](hit);
    await watch.allLed();
    const { notices, toldAfterMs } = await change;
    const toldMs = await toldAfterMs;
    await closeAll(watch, notices);
    for (const notice of notices) opened.push(notice);
    watch.judgePace();
    const cost = {
      fault: `${kind}${held > 0 ? '' : ' of another'}${isPooled ? BEHIND_POOLER : ''}`,
      held,
      unwatchedMs: longestUnwatched(pages, asked),
      toldAfterMs: toldMs,
      toldTwice: told.twice() - before,
    };
    costs.push(cost);
    keepLogs(fault, cost);
  }
  return { costs, opened };
}

/** How often each page has been looked at. */
function looksAt(pages: readonly WatchedPage[]): number[] {
  return pages.map((page) => looks(page).length);
}

/** Between two looks at one of the pages, since each was looked at so often; in milliseconds. */
function longestUnwatched(pages: readonly WatchedPage[], since: readonly number[]): number {
  const gaps = pages.map((page, index) => longestGap(looks(page).slice(Math.max(0, (since[index] ?? 0) - 1))));
  return Math.max(...gaps);
}

function looks({ provider }: WatchedPage) {
  return provider.simulator.log.all().filter(({ operation }) => operation === 'notices.list');
}

/** What was in flight; nothing where every member can reach the database and the others all along. */
export function mostToldTwice({ fault, held }: Pick<Cost, 'fault' | 'held'>, leases: number): number {
  if (/^(?:locked|full|clock|own clock)/.test(fault)) return 0;
  return /^(?:kill|stop|pause)/.test(fault) ? Math.max(1, held) : leases;
}

/** After a kill, and while the database is away, in leases; null for what has no limit here. */
export function mostUnwatched({ fault }: Pick<Cost, 'fault'>): number | null {
  return /^(?:database|kill)/.test(fault) ? 2 : null;
}

/** For whoever plays many. */
export function sayCosts(costs: readonly Cost[]): void {
  const rows = [...Map.groupBy(costs, ({ fault }) => fault)].map(([fault, all]) => ({
    fault,
    times: all.length,
    unwatchedMs: medianAndWorst(all.map(({ unwatchedMs }) => unwatchedMs)),
    toldAfterMs: medianAndWorst(all.map(({ toldAfterMs }) => toldAfterMs)),
    toldTwice: all.reduce((sum, { toldTwice: twice }) => sum + twice, 0),
  }));
  // oxlint-disable-next-line no-console -- it is what is asked for
  console.table(rows);
}

function medianAndWorst(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other).map(Math.round);
  return `${sorted[Math.floor(sorted.length / 2)]} (${sorted.at(-1)})`;
}
