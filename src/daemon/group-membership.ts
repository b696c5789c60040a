/**
 * This member among those that share groups of the sources: which of them it leads, where it keeps what it knows of each,
 * and what it knows of the others. Each group has a lease, a tenure and a store of its own, as all sources have where they
 * are not divided.
 */
import type { SourceGroup } from '../config/groups.ts';
import type { GroupView } from '../core/view/group-view.ts';
import type { MembersView } from '../core/view/picture.ts';
import type { MembersSeen } from '../core/engine/member-trouble.ts';
import type { ReceiverTrouble } from '../core/engine/receiver-trouble.ts';
import type { HistoryStore } from '../history/history-store.ts';
import { openDocuments } from '../store/postgres/documents-in-database.ts';
import type { Leads, Member } from '../store/postgres/members.ts';
import type { Wakeups } from '../store/postgres/wakeups.ts';
import type { Store } from '../store/store.ts';
import type { ReserveNumbers } from './alert-numbers.ts';
import type { Led } from './group-holdings.ts';
import { createGroupTurns, type GroupTurns, type TurnsDeps } from './group-turns.ts';
import type { Mode } from './leadership.ts';
import { createMemberAsks, type MemberAsks } from './member-asks.ts';
import { ledArchive, memberOf, openConnections, viewOf, type MembershipOptions } from './membership.ts';
import { createMembersWatch } from './members-watch.ts';
import { numbersInDatabase } from './reserved-numbers.ts';
import { openRoll } from './roll.ts';

export interface GroupMembership {
  readonly name: string;
  readonly leaseMs: number;
  readonly turns: Omit<GroupTurns, 'look' | 'read' | 'layout' | 'isDivided' | 'retire'>;
  /** What calls for a look, of this member and of the others. */
  readonly wakeups: Omit<Wakeups, 'prove' | 'close'>;
  /** What is asked of one member and another's to do. */
  readonly asks: MemberAsks;
  /** Reports to the others, and takes what is this member's turn. Rejects as `prepareTables` does. */
  look(): Promise<void>;
  /** Where what is known of a group is kept while this member leads it. */
  storeOf(led: Led): Store;
  /** Where what happened in it is kept. */
  archiveOf(led: Led): HistoryStore;
  /** What is kept of a group, for looking at. Rejects as `prepareTables` does. */
  shared(group: number): Promise<Store>;
  /** For the alerts of a group. */
  numbersOf(group: number): ReserveNumbers;
  /** Hears of the others now. Rejects with `DatabaseError`. */
  refresh(): Promise<void>;
  /** Removes what is kept of a member. Rejects with `DatabaseError`. */
  forget(name: string): Promise<void>;
  view(): MembersView;
  /** How the members stand, where something of it is to be told; called at most once for each look. */
  seen(): MembersSeen | null;
  /** Trouble with receivers, as it was last heard of from each group; null where nothing is heard of one. */
  troubles(): (readonly ReceiverTrouble[] | null)[];
  /** Takes nothing any more, and tells the others: what it leads is to be given back. */
  retire(): Promise<void>;
  close(): Promise<void>;
}

/** Connects when it is first asked: a database that is away is waited for. */
export async function joinGroups(
  options: MembershipOptions & { groups: readonly SourceGroup[] } & Pick<TurnsDeps, 'troubles'>,
): Promise<GroupMembership> {
  const { instance, version, id, clock, log, groups, troubles } = options;
  const { lease: leaseMs } = options.database;
  const { name, database, documents, records, wakeups, prepared, close } = await openConnections(options);
  const roll = openRoll({ ...options, database, name, process: id, leaseMs });
  const watch = createMembersWatch({ leaseMs, monotonic: clock.monotonic });
  const around = { database, records, wakeups, troubles, roll, clock, log };
  const turns = createGroupTurns({ instance, name, version, holder: `${name}/${id}`, leaseMs, groups, ...around });

  function view(): MembersView {
    const mode = modeOf(turns.led());
    const all = turns.groups.map((group) => viewGroup(group, { turns, name }));
    const leader = mode === null ? (all.find(({ holder }) => holder !== null)?.holder ?? null) : name;
    const sinceMs = clock.monotonic() - roll.heardAt;
    return {
      ...viewOf(roll.members, { self: name, leaseMs, sinceMs, mode }),
      leader,
      groups: all,
      ...(!turns.isDivided && { isOtherwise: true }),
    };
  }

  async function refresh(): Promise<void> {
    await roll.refresh();
    await turns.read();
  }

  return {
    name,
    leaseMs,
    turns,
    wakeups,
    asks: createMemberAsks({ database: documents, instance, name, leaseMs, refresh, view, wakeups, clock, log }),
    async look() {
      await prepared(turns.look);
      wakeups.prove();
    },
    storeOf(led) {
      const group = led.group.number;
      return openDocuments({ database: documents, instance, group, term: turns.termOf(led), lost: led.tenure.lose });
    },
    archiveOf: (led) => ledArchive({ database: records, term: turns.termOf(led), lost: led.tenure.lose }),
    shared: (group) =>
      prepared(() => Promise.resolve(openDocuments({ database: documents, instance, group, term: null }))),
    numbersOf: (group) => numbersInDatabase({ database: documents, instance, group, log }),
    refresh,
    forget: roll.forget,
    view,
    seen: () => watch.looked(roll.members, { groups: view().groups ?? [], layout: turns.layout }),
    troubles: () => troublesOf(turns.groups, troubles(), { members: roll.members, self: name, leaseMs }),
    async retire() {
      try {
        await turns.retire();
      } catch (error) {
        log.warn('The others could not be told that this member stops', { error });
      }
    },
    close,
  };
}

function troublesOf(
  groups: readonly SourceGroup[],
  here: NonNullable<Leads['troubles']>,
  { members, self, leaseMs }: { members: readonly Member[]; self: string; leaseMs: number },
): (readonly ReceiverTrouble[] | null)[] {
  return groups.map(({ number, sources }) => {
    const own = here[number];
    if (own !== undefined || sources.length === 0) return own ?? [];
    const leads = members.find(
      (member) => member.name !== self && member.silentMs <= leaseMs && member.leads?.groups.includes(number) === true,
    )?.leads;
    if (leads === undefined || leads === null) return null;
    return leads.troubles === undefined ? [] : (leads.troubles[number] ?? null);
  });
}

/** The worst of what it leads; null where it leads nothing. */
function modeOf(led: readonly Led[]): Mode | null {
  const modes = led.map(({ tenure }) => tenure.mode);
  return modes.find((mode) => mode !== 'leading') ?? modes[0] ?? null;
}

function viewGroup({ number, sources }: SourceGroup, { turns, name }: { turns: GroupTurns; name: string }): GroupView {
  const tenure = turns.led().find(({ group }) => group.number === number)?.tenure;
  const lease = turns.leaseOn(number);
  const by = lease?.holder ?? null;
  const holder = tenure === undefined ? by && memberOf(by) : name;
  return {
    group: number,
    sources,
    holder,
    epoch: tenure?.epoch ?? lease?.epoch ?? 0,
    renewedMs: holder === null || lease === null ? null : lease.unchangedMs,
  };
}
