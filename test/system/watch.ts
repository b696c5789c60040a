/** Three members that watch together, in one or in groups: pages that change, what was told, who leads, whose commits came when. */
import { expect } from 'vitest';
import { splitSources, toLayout, type SourceShard } from '../../src/config/shards.ts';
import { startProvider, type Provider } from '../../src/simulator/embedded-provider.ts';
import type { Arrival } from '../../src/simulator/request-log.ts';
import { openSite, type Site, type SiteConfig } from '../support/site.ts';
import { openDatabase } from '../../src/store/postgres/connection.ts';
import { DatabaseError } from '../../src/store/postgres/database-error.ts';
import { startMember, type Member } from './members.ts';
import { hasPooler } from './pooler.ts';
import { startPostgres, type RealPostgres } from './real-postgres.ts';
import { createTold, type Told, type WatchedPage } from './told.ts';

/** The least there is. */
export const LEASE_MS = 4_000;
export const MINUTE = 60_000;
const MEMBERS = ['one', 'two', 'three'];
/** Where there is PgBouncer. */
const BEHIND_POOLER = 'three';
/** Requests to a page: more than those of one sweep. */
const LOOKS_SETTLED = 12;
/** Of the accounts behind an origin; the default. */
const MOST_ACCOUNT_REQUESTS = 10;
const MOST_STATUS_REQUESTS = 5;
const isOfStatus = ({ operation }: Arrival): boolean => /^(?:status|components|notices)\./.test(operation ?? '');

export interface Watch extends AsyncDisposable {
  site: Site;
  postgres: RealPostgres;
  pages: readonly WatchedPage[];
  members: readonly Member[];
  config: SiteConfig;
  told: Told;
  member(name: string): Member;
  /** Names of the members that hold leases now, by lease; with all of them led, or as soon as they are. */
  holders(): Promise<Record<string, string>>;
  allLed(): Promise<Record<string, string>>;
  /** All is led, and each of the three members leads something where there is enough for that. */
  evenly(): Promise<void>;
  /**
   * Nothing is being handed over, and every page is looked at by whoever holds it. Where the database dies in the moment of
   * a hand-over, that group waits until it answers.
   */
  settled(): Promise<void>;
  /** Every page is asked something so many times from now on. */
  lookedAt(times: number): Promise<void>;
  /** The pages that are watched under a lease. */
  pagesUnder(lease: string): WatchedPage[];
  /** All members take up another configuration. */
  configure(config: SiteConfig): Promise<void>;
  /** A copy of the database is promoted in its place, while no member reaches it. */
  failOver(): Promise<void>;
  /** Throws where a provider was asked too often. */
  judgePace(): void;
  /** Throws where commits of an older epoch of a lease come after those of a newer; so many were judged. */
  judgeEpochs(): number;
}

/** Not divided: one page. In groups: as many pages as are asked for, each with an account, the first's at another origin. */
export async function openWatch(divided?: { shards: number; pages: number }): Promise<Watch> {
  const [postgres, site] = [await startPostgres(), await openSite()];
  haveClock(postgres);
  const providers: Provider[] = await Promise.all(
    Array.from({ length: divided === undefined ? 0 : divided.pages + 1 }, () => startProvider()),
  );
  const [elsewhere, ...own] = providers;
  const pages =
    divided === undefined
      ? [{ name: 'provider', provider: site.provider }]
      : own.map((provider, index) => ({ name: `page-${index + 1}`, provider }));
  const config: SiteConfig = {
    ...site.config,
    status_pages: pages.map(({ name, provider }) => ({
      ...site.config.status_pages[0],
      name,
      base_url: provider.statusUrl,
    })),
    receivers: site.config.receivers.filter(({ name }) => name === 'bus'),
    route: { receivers: ['bus'] },
    ...(elsewhere !== undefined && { accounts: accountsOf(pages, elsewhere) }),
  };
  const members: Member[] = [];
  for (const name of MEMBERS) {
    const hasOwnPooler = hasPooler && name === BEHIND_POOLER;
    const member = await startMember(
      name,
      new URL(postgres.url),
      config,
      `${LEASE_MS}ms`,
      divided?.shards,
      hasOwnPooler,
    );
    members.push(member);
  }
  const shards = divided?.shards ?? 1;
  const divisions = new Map<string, readonly SourceShard[]>();
  const divide = (of: SiteConfig): readonly SourceShard[] => {
    const groups = splitSources(sourcesOf(of), shards);
    divisions.set(toLayout(groups) ?? 'all', groups);
    return groups;
  };
  let groups = divide(config);
  const leaseIn = (division: readonly SourceShard[], source: string): string =>
    shards === 1 ? 'all' : `group ${division.find(({ sources }) => sources.includes(source))?.number}`;

  // By a connection of its own: while `psql` runs, nothing passes by the ways of the members.
  const database = await openDatabase({ url: postgres.url, timeoutMs: LEASE_MS, connections: 1 });

  async function holders(): Promise<Record<string, string>> {
    try {
      const rows = await database.ask<{ name: string; holder: string }>(
        'read the leases in',
        `select name, split_part(holder, '/', 1) as holder from linewatch_lease
          where holder is not null and expires_at > clock_timestamp() and expires_at <> 'infinity' order by name`,
      );
      return Object.fromEntries(rows.map(({ name, holder }) => [name, holder]));
    } catch (error) {
      // It is down, or was.
      if (error instanceof DatabaseError) return {};
      throw error;
    }
  }

  async function evenly(): Promise<void> {
    const led = async (): Promise<number[]> => {
      const now = await holders();
      return [Object.keys(now).length, new Set(Object.values(now)).size];
    };
    await expect.poll(led).toEqual([shards, Math.min(shards, MEMBERS.length)]);
  }

  async function lookedAt(times: number): Promise<void> {
    const looks = (): number[] => pages.map(({ provider }) => provider.simulator.log.all().length);
    const before = looks();
    const unseen = (): unknown[] => looks().filter((count, index) => count < (before[index] ?? 0) + times);
    await expect.poll(unseen).toEqual([]);
  }

  /** What was written before the last failover. */
  const written: string[] = [];
  beginAudit(postgres);
  return {
    site,
    postgres,
    pages,
    members,
    config,
    told: createTold(site.bus),
    member(name) {
      const found = members.find((one) => one.name === name);
      if (found === undefined) throw new Error(`there is no member ${name}`);
      return found;
    },
    holders,
    async allLed() {
      let now: Record<string, string> = {};
      await expect.poll(async () => Object.keys((now = await holders())).length).toBe(shards);
      return now;
    },
    evenly,
    async settled() {
      await evenly();
      await lookedAt(LOOKS_SETTLED);
    },
    lookedAt,
    pagesUnder: (lease) => pages.filter(({ name }) => leaseIn(groups, name) === lease),
    async configure(next) {
      groups = divide(next);
      for (const one of members) await one.configure(next);
    },
    async failOver() {
      written.push(...readAudit(postgres));
      await postgres.failOver();
      beginAudit(postgres);
    },
    judgePace() {
      for (const { name, provider } of [
        ...pages,
        ...(elsewhere === undefined ? [] : [{ name: 'elsewhere', provider: elsewhere }]),
      ]) {
        const asked = provider.simulator.log.all();
        judgeWindows(name, asked.filter(isOfStatus), MOST_STATUS_REQUESTS);
        judgeWindows(
          name,
          asked.filter((one) => !isOfStatus(one)),
          MOST_ACCOUNT_REQUESTS,
        );
      }
    },
    judgeEpochs: () =>
      judgeEpochs([...written, ...readAudit(postgres)], {
        divisions,
        first: splitSources(sourcesOf(config), shards),
        leaseIn,
      }),
    async [Symbol.asyncDispose]() {
      for (const member of members) await member[Symbol.asyncDispose]();
      await Promise.all(providers.map((provider) => provider.close()));
      await site[Symbol.asyncDispose]();
      await database.close();
      await postgres[Symbol.asyncDispose]();
    },
  };
}

function judgeWindows(name: string, asked: readonly Arrival[], most: number): void {
  const sorted = asked.toSorted((one, other) => one.at - other.at);
  for (const [index, first] of sorted.entries()) {
    const next = sorted[index + most];
    if (next === undefined || next.at - first.at >= 1_000) continue;
    const around = sorted.slice(Math.max(0, index - most), index + 2 * most);
    const said = around.map(({ at, operation, status }) => `${Math.round(at - first.at)} ${operation} ${status}`);
    throw new Error(`${name} got ${most + 1} requests within a second:\n${said.join('\n')}`);
  }
}

function accountsOf(pages: readonly WatchedPage[], elsewhere: Provider): Record<string, unknown>[] {
  return pages.map(({ name, provider }, index) => {
    const { accountUrl, token } = index === 0 ? elsewhere : provider;
    const registrations = { interval: '5s' };
    return { name: `acme-${index + 1}`, base_url: accountUrl, api_key: token, status_page: name, registrations };
  });
}

/** As far as its division needs it. */
function sourcesOf({ status_pages: pages, accounts = [] }: SiteConfig): Parameters<typeof splitSources>[0] {
  const common = (one: Record<string, unknown>) => ({ name: String(one['name']), baseUrl: String(one['base_url']) });
  return {
    statusPages: pages.map(common),
    accounts: (accounts as Record<string, unknown>[]).map((one) => ({
      ...common(one),
      statusPage: String(one['status_page']),
      statusPages: [],
      sitePages: {},
      siteComponents: {},
    })),
  } as unknown as Parameters<typeof splitSources>[0];
}

/** From here on the database's own log of what was written is kept. */
function beginAudit({ sql }: RealPostgres): void {
  sql(`select pg_create_logical_replication_slot('audit', 'test_decoding')`);
}

/** A clock of its own, which faults can move: whoever connects from here on reads it in place of the system's. */
function haveClock({ sql }: RealPostgres): void {
  sql(`create function public.clock_timestamp() returns timestamptz language sql volatile
    as $$ select pg_catalog.clock_timestamp() $$;
    alter role linewatch set search_path = public, pg_catalog`);
}

interface Audit {
  divisions: ReadonlyMap<string, readonly SourceShard[]>;
  first: readonly SourceShard[];
  leaseIn(division: readonly SourceShard[], source: string): string;
}

/** Every taking of a lease and every document written since `beginAudit`, in the order in which they were committed. */
function readAudit({ sql }: RealPostgres): string[] {
  const rows =
    sql(`select substring(data from '^table public.linewatch_(\\w+)'), substring(data from ' name\\[text\\]:''([^'']*)'),
      coalesce(substring(data from ' kind\\[text\\]:''([^'']*)'), ''), substring(data from ' epoch\\[bigint\\]:(\\d+)'),
      coalesce(substring(data from ' holder\\[text\\]:''([^'']*)'), '')
    from pg_logical_slot_peek_changes('audit', null, null)
    where data ~ '^table public.linewatch_(document|lease): (INSERT|UPDATE)'`);
  return rows === '' ? [] : rows.split('\n');
}

function judgeEpochs(rows: readonly string[], { divisions, first, leaseIn }: Audit): number {
  let division = first;
  const latest = new Map<string, number>();
  for (const row of rows) {
    const [table = '', name = '', kind = '', number = '', holder = ''] = row.split('|');
    if (table === 'lease' && holder.startsWith('groups/')) division = divisions.get(holder) ?? expect.fail(holder);
    const [of, group] = kind.split(' ');
    const own = leaseIn(division, '') === 'all' ? 'all' : `group ${group ?? 1}`;
    const lease = table === 'lease' ? name : of === 'source' ? leaseIn(division, name) : own;
    // As the sources are divided anew, in the same transaction as the leases.
    if (number === '0') continue;
    const before = latest.get(lease) ?? 0;
    if (Number(number) < before) throw new Error(`${lease}: epoch ${number} wrote after ${before}: ${row}`);
    latest.set(lease, Number(number));
  }
  return rows.length;
}
