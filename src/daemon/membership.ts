/** This member among those that share a database: its lease, its store, and what it knows of the others. */
import type { ConfigDigest } from '../config/config-digest.ts';
import type { DatabaseConfig } from '../config/database-schema.ts';
import type { MembersSeen } from '../core/engine/member-trouble.ts';
import type { Log } from '../log/log.ts';
import type { MembersView, MemberView } from '../core/view/picture.ts';
import { DAY, SECOND } from '../core/text/duration.ts';
import type { HistoryStore } from '../history/history-store.ts';
import { createPostgresStore } from '../history/postgres.ts';
import { asLeader, type LeaderDeps } from '../store/postgres/as-leader.ts';
import { openDatabase } from '../store/postgres/connection.ts';
import { DatabaseError } from '../store/postgres/database-error.ts';
import { openDocuments } from '../store/postgres/documents-in-database.ts';
import { adoptLayout, type SeenLeases } from '../store/postgres/group-leases.ts';
import {
  ALL,
  giveBackLease,
  LeaseLost,
  renewLease,
  takeLease,
  type TakenLease,
  type Term,
} from '../store/postgres/lease.ts';
import type { Member } from '../store/postgres/members.ts';
import { prepareTables } from '../store/postgres/tables.ts';
import { openWakeups } from '../store/postgres/wakeups.ts';
import type { Store } from '../store/store.ts';
import type { Clock } from './clock.ts';
import type { HeardMember } from './config-differences.ts';
import { FORMAT } from './documents.ts';
import type { ReserveNumbers } from './alert-numbers.ts';
import { lead, REPORTS_A_LEASE, type LeaseAccess, type Mode, type Tenure } from './leadership.ts';
import { createMemberAsks, type MemberAsks } from './member-asks.ts';
import { createMembersWatch } from './members-watch.ts';
import { regroup } from './regrouped.ts';
import { numbersInDatabase } from './reserved-numbers.ts';
import { openRoll, type Roll } from './roll.ts';
import { createLeaseReader } from './seen-leases.ts';

export interface MembershipOptions {
  /** What all members are called. */
  instance: string;
  database: DatabaseConfig;
  /** What this one is called where the configuration does not say. */
  hostname: string;
  version: string;
  /** No other process ever has the same. */
  id: string;
  clock: Clock;
  log: Log;
  /** Of the configuration of now. */
  digest(): ConfigDigest;
}

export interface Membership {
  readonly name: string;
  readonly leaseMs: number;
  /** Stands by until it leads; null when the signal is aborted first. `goesOn` is called at every look at the lease. */
  lead(stop: AbortSignal, goesOn: () => void): Promise<Tenure | null>;
  /** What is asked of one member and another's to do. */
  readonly asks: MemberAsks;
  termOf(tenure: Tenure): Term;
  /** Where the leader of this tenure keeps what it knows. */
  storeOf(tenure: Tenure): Store;
  /** For the alerts of whoever leads. */
  readonly numbers: ReserveNumbers;
  /** And what happened. */
  archiveOf(tenure: Tenure): HistoryStore;
  /** What is kept, for looking at. Rejects as `prepareTables` does. */
  shared(): Promise<Store>;
  /** Hears of the others now. Rejects with `DatabaseError`. */
  refresh(): Promise<void>;
  /** Removes what is kept of a member. Rejects with `DatabaseError`. */
  forget(name: string): Promise<void>;
  /** All of them, as this one last heard; `tenure` while it leads. */
  view(tenure: Tenure | null): MembersView;
  /** Until it no longer leads, whatever is to be told of the others is told so. */
  watchOthers(tell: (seen: MembersSeen) => void): void;
  /** Says so to the others where it stood by. */
  close(): Promise<void>;
}

/** A renewal and its report must fit into a third of a lease. */
const STATEMENTS_A_LEASE = 6;
/** For what takes longer than a renewal, such as dividing the sources anew. */
const RECORDS_TIMEOUT_MS = 5 * SECOND;

type ConnectionsOptions = Pick<MembershipOptions, 'instance' | 'hostname' | 'clock'> & {
  database: Pick<DatabaseConfig, 'url' | 'lease' | 'member'>;
};

/** The connections of a member. Each has a purpose, so that a slow statement of one does not hold up the others. */
export async function openConnections({
  instance,
  database: { url, lease, member },
  hostname,
  clock,
}: ConnectionsOptions) {
  const name = member ?? hostname;
  const timeoutMs = lease / STATEMENTS_A_LEASE;
  // For leases and members. Two, as one may hang.
  const database = await openDatabase({ url, timeoutMs, connections: 2 });
  const documents = await openDatabase({ url, timeoutMs });
  const records = await openDatabase({ url, timeoutMs: RECORDS_TIMEOUT_MS, connections: 1 });
  const woken = { instance, member: name, everyMs: lease, monotonic: clock.monotonic };
  const wakeups = await openWakeups({ url, timeoutMs, database: documents, ...woken });
  let isPrepared = false;
  return {
    /** What this member is called. */
    name,
    database,
    documents,
    records,
    wakeups,
    /** Makes the tables first where they may lack. Rejects as `prepareTables` and `work` do. */
    async prepared<T>(work: () => Promise<T>): Promise<T> {
      if (!isPrepared) await prepareTables(records);
      isPrepared = true;
      try {
        return await work();
      } catch (error) {
        // The database may have been made anew.
        if (error instanceof DatabaseError && error.lacksTable) isPrepared = false;
        throw error;
      }
    },
    async close(): Promise<void> {
      wakeups.close();
      await Promise.all([database, documents, records].map((way) => way.close()));
    },
  };
}

/** To be called where a newer program has led, before it is reported: the log says so once. */
export function sayTooOld({ said }: Pick<Roll, 'said'>, log: Pick<Log, 'error'>, version: string): void {
  if (said === 'too old') return;
  log.error('A newer Linewatch has led: this one cannot read what it writes, and never leads again', { version });
}

/** Connects when it is first asked: a database that is away is waited for. */
export async function joinMembers(options: MembershipOptions): Promise<Membership> {
  const { instance, version, id, clock, log } = options;
  const { lease: leaseMs } = options.database;
  const { name, database, documents, records, wakeups, prepared, close } = await openConnections(options);
  const holder = `${name}/${id}`;
  const own = { database: documents, instance, name, leaseMs };
  const roll = openRoll({ ...options, database, name, process: id, leaseMs });
  const watch = createMembersWatch({ leaseMs, monotonic: clock.monotonic });
  const reader = createLeaseReader({ database, instance, leaseMs, roll, clock, log, withAsks: false });
  let tellOthers: ((seen: MembersSeen) => void) | null = null;

  /** Where the next one could not know that this one has led, it must not begin: then the lease is free again at once. */
  async function sayLeading({ epoch, slots }: TakenLease): Promise<void> {
    try {
      await roll.say('leading', { epoch, share: 1 });
    } catch (error) {
      await giveBackLease(database, termOf(epoch), slots).catch(() => undefined);
      throw error;
    }
  }

  /** The lease is held, whether the others hear of it or not. */
  async function reportAgain(epoch: number, share: number): Promise<void> {
    try {
      await roll.say('leading', { epoch, share });
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      log.warn('The lease is held, and the others could not be told so', { epoch, error });
    }
  }

  async function reportStandingBy(seen: SeenLeases): Promise<void> {
    const isTooOld = seen.format > FORMAT;
    if (isTooOld) sayTooOld(roll, log, version);
    await roll.say(isTooOld ? 'too old' : 'standing by', null);
    // Where it was divided before, nobody may lead a part of it any more.
    if (!isTooOld && seen.layout !== null && reader.watch.isEveryoneGone()) await leaveGroups(seen);
  }

  async function leaveGroups({ leases }: SeenLeases): Promise<void> {
    const layout = { instance, layout: null, format: FORMAT, leases };
    if (!(await adoptLayout(records, { ...layout, regroup: (documents) => regroup(documents, 1) }))) return;
    log.info('The sources are no longer divided into groups');
  }

  function view(tenure: Tenure | null): MembersView {
    const sinceMs = clock.monotonic() - roll.heardAt;
    return viewOf(roll.members, { self: name, leaseMs, sinceMs, mode: tenure?.mode ?? null });
  }

  const termOf = (epoch: number): Term => ({ instance, name: ALL, holder, epoch });
  async function take(): Promise<TakenLease | null> {
    await reader.read();
    const { known: seen, watch: leaseWatch } = reader;
    const isNamed = await roll.hasName();
    const isFree = isNamed && seen.layout === null && leaseWatch.isFree(ALL);
    const claim = { instance, name: ALL, holder, format: FORMAT, leaseMs, ...leaseWatch.claimOf(ALL) };
    const taken = isFree ? await takeLease(database, claim) : null;
    if (taken !== null) leaseWatch.took(ALL, holder);
    if (taken !== null) await sayLeading(taken);
    else if (isNamed && clock.monotonic() - roll.saidAt >= leaseMs / REPORTS_A_LEASE) await reportStandingBy(seen);
    wakeups.prove();
    return taken;
  }

  const lease: LeaseAccess = {
    take: () => prepared(take),
    async renew(epoch, share) {
      if (!(await roll.timed(prepared(() => renewLease(database, termOf(epoch), leaseMs))))) return false;
      await reportAgain(epoch, share);
      wakeups.prove();
      const seen = tellOthers === null ? null : watch.looked(roll.members);
      if (seen !== null) tellOthers?.(seen);
      return true;
    },
    async giveBack(epoch, slots) {
      tellOthers = null;
      // In this order the next one knows that it asks no more.
      await roll.say('stopped', null);
      await giveBackLease(database, termOf(epoch), slots);
      await wakeups.wake();
    },
    rivals: () => roll.members.filter((member) => member.name !== name && mayLead(member)).length,
  };

  return {
    name,
    leaseMs,
    asks: createMemberAsks({ ...own, refresh: roll.refresh, view: () => view(null), wakeups, clock, log }),
    termOf: ({ epoch }) => termOf(epoch),
    lead: (stop, goesOn) => lead({ lease, leaseMs, clock, log, goesOn, wakeups }, stop),
    storeOf: (tenure) =>
      openDocuments({ database: documents, instance, term: termOf(tenure.epoch), lost: tenure.lose }),
    archiveOf: ({ epoch, lose }) => ledArchive({ database: records, term: termOf(epoch), lost: lose }),
    numbers: numbersInDatabase({ ...own, group: 1, log }),
    shared: () => prepared(async () => openDocuments({ database: documents, instance, term: null })),
    refresh: roll.refresh,
    forget: roll.forget,
    view,
    watchOthers(tell) {
      tellOthers = tell;
    },
    async close() {
      try {
        if (roll.said === 'standing by' || roll.said === 'too old') await roll.say('stopped', null);
      } catch (error) {
        log.warn('The others could not be told that this member stops', { error });
      }
      await close();
    },
  };
}

/** Where whoever leads with this term writes what happened. */
export function ledArchive(deps: LeaderDeps & { term: Term }): HistoryStore {
  const { database, term } = deps;
  return createPostgresStore({
    ask: database.ask,
    instance: term.instance,
    write: asLeader(deps),
    troubleOf(error) {
      if (error instanceof LeaseLost) return 'over';
      return error instanceof DatabaseError && error.isAway ? 'away' : 'refused';
    },
  });
}

/** Whoever was cut off never said that it stands by. After a day it is taken for gone. */
export function mayLead({ standing, silentMs }: Member): boolean {
  return standing === 'leading' && silentMs < DAY;
}

export interface Viewed {
  self: string;
  leaseMs: number;
  /** Since the others were heard of. */
  sinceMs: number;
  /** Null while it does not lead. */
  mode: Mode | null;
}

/** Silences are as of now, `sinceMs` after the others were heard of; longer than a lease counts as silent. */
export function viewOf(members: readonly HeardMember[], { self, leaseMs, sinceMs, mode }: Viewed): MembersView {
  const all = members.map((member): MemberView => {
    const silentMs = member.silentMs + sinceMs;
    if (member.name === self) return { ...member, silentMs, standing: mode ?? member.standing };
    const isSilent = silentMs > leaseMs && member.standing !== 'stopped';
    return { ...member, silentMs, standing: isSilent ? 'silent' : member.standing };
  });
  const leader = mode === null ? all.find(({ standing }) => standing === 'leading')?.name : self;
  return { self, leader: leader ?? null, isCutOff: sinceMs > leaseMs, all };
}

/** The name of the member in a holder, which is `name/id`. */
export function memberOf(holder: string): string {
  return holder.slice(0, holder.lastIndexOf('/'));
}
