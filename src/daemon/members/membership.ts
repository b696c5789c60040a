/**
 * This member among those that share a database: its shards, their state, and the other members. Each shard has a lease
 * and a store of its own.
 */
import type { MemberBase } from './member-base.ts';
import type { DatabaseConfig } from '../../config/schema/database-schema.ts';
import type { SourceShard } from '../../config/shards.ts';
import type { MembersObservation } from '../../core/engine/member-trouble.ts';
import type { ReceiverTrouble } from '../../core/engine/receiver-trouble.ts';
import type { MembersView } from '../../core/view/system-status.ts';
import type { HistoryStore } from '../../history/history-store.ts';
import { createPostgresStore } from '../../history/postgres.ts';
import { createLeaderAccess, type LeaderDeps } from '../../store/postgres/as-leader.ts';
import { DatabaseError } from '../../store/postgres/database-error.ts';
import { openDocuments } from '../../store/postgres/documents-in-database.ts';
import { LeaseLost, type Term } from '../../store/postgres/lease.ts';
import type { Leads, Member } from '../../store/postgres/members.ts';
import { reserveNumbers } from '../../store/postgres/shard-leases.ts';
import { openSharedDocuments } from '../../store/postgres/shared-documents.ts';
import type { Store } from '../../store/store.ts';
import type { ReserveNumbers } from '../common/alert-numbers.ts';
import { openConnections } from './connections.ts';
import type { LedShard } from './held-shards.ts';
import { createMemberAsks } from './member-asks.ts';
import { openRegistry } from './member-registry.ts';
import { createMembersWatch } from './members-watch.ts';
import { findWorstMode, buildMembersView, buildShardView } from './members-view.ts';
import type { OpenShared } from './other-shard.ts';
import { saveStoresAgain, watchPromotions } from './promotions.ts';
import { createNumberReserver, IN_RESERVE } from './reserved-numbers.ts';
import { createShardTurns, type TurnsDeps } from './shard-turns.ts';

export interface MembershipOptions
  extends Pick<MemberBase, 'instance' | 'clock' | 'log' | 'digest'>, Pick<TurnsDeps, 'troubles'> {
  database: DatabaseConfig;
  /** Name of this member if none is configured. */
  hostname: string;
  version: string;
  /** Unique id of this process. */
  id: string;
  shards: readonly SourceShard[];
}

export type Membership = Awaited<ReturnType<typeof joinMembers>>;

/** Connects on first use, and waits for an unreachable database. */
export async function joinMembers(options: MembershipOptions) {
  const { instance, id, clock, log, troubles } = options;
  const { lease: leaseMs, member } = options.database;
  const name = member ?? options.hostname;
  const own = { ...options, name, leaseMs };
  const connections = await openConnections(own);
  const { database, documents, records, wakeups, prepared } = connections;
  const memberRegistry = openRegistry({ ...own, database, process: id });
  const watch = createMembersWatch(own);
  const turns = createShardTurns({ ...own, ...connections, holder: `${name}/${id}`, memberRegistry });
  /** Reason why the last look failed; null if it did not. */
  let refusal: string | null = null;
  const isDivided = (): boolean => turns.shards.length > 1;

  function view(): MembersView {
    const mode = findWorstMode(turns);
    const sinceMs = clock.monotonic() - memberRegistry.readAt;
    const members = buildMembersView(memberRegistry.members, { self: name, leaseMs, sinceMs, mode });
    const shards = turns.shards.map((shard) => buildShardView(shard, { turns, name }));
    const holder = shards.find((shard) => shard.holder !== null)?.holder ?? members.leader;
    return {
      ...members,
      leader: mode === null ? holder : name,
      ...(refusal !== null && { refusal }),
      ...(isDivided() && { shards }),
      ...(!turns.isDivided && { isOtherwise: true }),
    };
  }

  async function refresh(): Promise<void> {
    await memberRegistry.refresh();
    await turns.read();
  }

  /** By shard: the store of the last term here. */
  const stores = new Map<number, Store>();
  const closing = new AbortController();

  async function saveAgain(): Promise<void> {
    await saveStoresAgain([...stores.values()], () =>
      // No leader assigns once more what another has assigned or reserved in lost commits.
      reserveNumbers(documents, { instance, count: 2 * IN_RESERVE * turns.shards.length, above: 0 }),
    );
  }

  watchPromotions({ database: documents, saveAgain, clock, log }, closing.signal).catch((error: unknown) =>
    log.error('Stopped watching for promotions of the database', { error }),
  );
  return {
    name,
    leaseMs,
    turns,
    /** Wake-ups that cause a look, here and at the other members. */
    wakeups,
    /** Requests to the leaders of other shards. */
    asks: createMemberAsks({ ...own, database: documents, leaseOf: turns.leaseNameOf, refresh, view, wakeups }),
    /** Reports to the others, and takes the leases due to this member. Rejects as `prepareTables` does. */
    async look(): Promise<void> {
      try {
        await prepared(turns.look);
        refusal = null;
      } catch (error) {
        refusal = error instanceof DatabaseError ? error.message : null;
        throw error;
      }
      wakeups.prove();
    },
    /** State of a shard while this member leads it. */
    storeOf(led: LedShard): Store {
      const group = led.shard.number;
      const { lose: lost, doubt: failed } = led.heldLease;
      const store = openDocuments({ database: documents, instance, group, term: turns.termOf(led), lost, failed });
      stores.set(group, store);
      return store;
    },
    /** History of a shard while this member leads it. */
    archiveOf: (led: LedShard): HistoryStore =>
      openLeaderHistory({ database: records, term: turns.termOf(led), lost: led.heldLease.lose }),
    /** State of a shard, for one reading. Rejects as `prepareTables` does. */
    shared: (group: number): Promise<Store> =>
      prepared(async () => openDocuments({ database: documents, instance, group, term: null })),
    /** State of a shard, for many readings; `refresh` rejects as `prepareTables` does. */
    open(group: number, read: Parameters<OpenShared>[1]): ReturnType<OpenShared> {
      const opened = openSharedDocuments({ database: documents, instance, group, ...read });
      return { ...opened, refresh: () => prepared(opened.refresh) };
    },
    /** Reserves numbers for the alerts of a shard. */
    numbersOf(group: number): ReserveNumbers {
      const inReserve = isDivided() ? IN_RESERVE : 0;
      return createNumberReserver({ database: documents, instance, group, inReserve, clock, log });
    },
    /** Reads reports and leases now. Rejects with `DatabaseError`. */
    refresh,
    /** Removes all state of a member. Rejects with `DatabaseError`. */
    forget: memberRegistry.forget,
    view,
    /** Problems of the members that are due to be reported; null for none. Call at most once for each look. */
    seen(): MembersObservation | null {
      const divided = isDivided() ? { shards: view().shards ?? [], layout: turns.wantedLayout } : undefined;
      return watch.check(memberRegistry.members, divided);
    },
    /** Failures of receivers in the last report of each shard; null for a shard without one. */
    troubles: (): (readonly ReceiverTrouble[] | null)[] =>
      troublesOf(turns.shards, troubles(), { members: memberRegistry.members, self: name, leaseMs }),
    /** Takes no leases any more, and reports that its shards will be returned. Never rejects. */
    async retire(): Promise<void> {
      try {
        await turns.retire();
      } catch (error) {
        log.warn('The stop of this member could not be reported to the others', { error });
      }
    },
    async close(): Promise<void> {
      closing.abort();
      await connections.close();
    },
  };
}

export function openLeaderHistory(deps: LeaderDeps & { term: Term }): HistoryStore {
  const { database, term } = deps;
  return createPostgresStore({
    ask: database.ask,
    instance: term.instance,
    write: createLeaderAccess(deps),
    troubleOf(error) {
      if (error instanceof LeaseLost) return 'over';
      return error instanceof DatabaseError && error.isAway ? 'away' : 'refused';
    },
  });
}

function troublesOf(
  shards: readonly SourceShard[],
  here: NonNullable<Leads['troubles']>,
  { members, self, leaseMs }: { members: readonly Member[]; self: string; leaseMs: number },
): (readonly ReceiverTrouble[] | null)[] {
  return shards.map(({ number, sources }) => {
    const own = here[number];
    if (own !== undefined || sources.length === 0) return own ?? [];
    const leads = members.find(
      (member) => member.name !== self && member.silentMs <= leaseMs && member.leads?.groups.includes(number) === true,
    )?.leads;
    if (leads === undefined || leads === null) return null;
    return leads.troubles === undefined ? [] : (leads.troubles[number] ?? null);
  });
}
