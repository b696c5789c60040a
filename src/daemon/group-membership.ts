/**
 * This member among those that share groups of the sources: which of them it leads, where it keeps what it knows of each,
 * and what it knows of the others. Each group has a lease, a tenure and a store of its own, as all sources have where they
 * are not divided.
 */
import type { SourceGroup } from '../config/groups.ts';
import type { GroupView, MembersView } from '../core/view/picture.ts';
import type { MembersSeen } from '../core/engine/member-trouble.ts';
import type { Archive } from '../history/archive.ts';
import { openDocuments } from '../store/postgres/documents-in-database.ts';
import { reserveNumbers } from '../store/postgres/group-leases.ts';
import { DatabaseError } from '../store/postgres/database-error.ts';
import { prepareTables } from '../store/postgres/tables.ts';
import type { Store } from '../store/store.ts';
import type { ReserveNumbers } from './alert-numbers.ts';
import { createGroupTurns, type Led, type GroupTurns } from './group-turns.ts';
import type { Mode } from './leadership.ts';
import { ledArchive, memberOf, openWays, viewOf, type MembershipOptions } from './membership.ts';
import { createMembersWatch } from './members-watch.ts';
import { openRoll } from './roll.ts';

export interface GroupMembership {
  readonly name: string;
  readonly leaseMs: number;
  readonly turns: Pick<GroupTurns, 'groups' | 'led' | 'excess' | 'divide'>;
  /** Reports to the others, and takes what is this member's turn. Rejects as `prepareTables` does. */
  look(): Promise<void>;
  storeOf(led: Led): Store;
  archiveOf(led: Led): Archive;
  /** What is kept of a group, for looking at. Rejects as `prepareTables` does. */
  shared(group: number): Promise<Store>;
  /** For the alerts of a group. */
  numbersOf(group: number): ReserveNumbers;
  /** Hears of the others now. Rejects with `DatabaseError`. */
  refresh(): Promise<void>;
  view(): MembersView;
  /** How the members stand, where something of it is to be told; called at most once for each look. */
  seen(): MembersSeen | null;
  /** Takes nothing any more, and tells the others: what it leads is to be given back. */
  retire(): Promise<void>;
  close(): Promise<void>;
}

/** Where the database is away and what others give is not known: of 100 alerts none has a number of another group's. */
const APART = 100;

/** Connects when it is first asked: a database that is away is waited for. */
export async function joinGroups(
  options: MembershipOptions & { groups: readonly SourceGroup[] },
): Promise<GroupMembership> {
  const { instance, version, id, clock, log, groups } = options;
  const { lease: leaseMs, member } = options.database;
  const name = member ?? options.hostname;
  const { database, records } = await openWays(options.database);
  const roll = openRoll({ database, instance, name, version, clock });
  const watch = createMembersWatch({ leaseMs, monotonic: clock.monotonic });
  const ways = { database, records, roll, clock, log };
  const turns = createGroupTurns({ instance, name, version, holder: `${name}/${id}`, leaseMs, groups, ...ways });
  let isPrepared = false;

  async function prepare(): Promise<void> {
    if (!isPrepared) await prepareTables(database);
    isPrepared = true;
  }

  function view(): MembersView {
    const mode = modeOf(turns.led());
    const all = turns.groups.map((group) => viewGroup(group, { turns, name, leaseMs }));
    const leader = mode === null ? (all.find(({ holder }) => holder !== null)?.holder ?? null) : name;
    const sinceMs = clock.monotonic() - roll.heardAt;
    return {
      ...viewOf(roll.members, { self: name, leaseMs, sinceMs, mode }),
      leader,
      groups: all,
      ...(!turns.isDivided && { isOtherwise: true }),
    };
  }

  return {
    name,
    leaseMs,
    turns,
    async look() {
      await prepare();
      await turns.look();
    },
    storeOf(led) {
      const group = led.group.number;
      return openDocuments({ database, instance, group, term: turns.termOf(led), lost: led.tenure.lose });
    },
    archiveOf: (led) => ledArchive({ database: records, term: turns.termOf(led), lost: led.tenure.lose }),
    async shared(group) {
      await prepare();
      return openDocuments({ database, instance, group, term: null });
    },
    numbersOf: (group) => async (count, above) => {
      try {
        return await reserveNumbers(database, { instance, count, above });
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error;
        log.warn('The database gives no numbers of alerts; they are made up', { group, error });
        return above + 1 + APART * group;
      }
    },
    async refresh() {
      await roll.refresh();
      await turns.read();
    },
    view,
    seen: () => watch.looked(roll.members, view().groups ?? []),
    async retire() {
      try {
        await turns.retire();
      } catch (error) {
        log.warn('The others could not be told that this member stops', { error });
      }
    },
    close: async () => void (await Promise.all([database.close(), records.close()])),
  };
}

/** The worst of what it leads; null where it leads nothing. */
function modeOf(led: readonly Led[]): Mode | null {
  const modes = led.map(({ tenure }) => tenure.mode);
  return modes.find((mode) => mode !== 'leading') ?? modes[0] ?? null;
}

function viewGroup(
  { number, sources }: SourceGroup,
  { turns, name, leaseMs }: { turns: GroupTurns; name: string; leaseMs: number },
): GroupView {
  const tenure = turns.led().find(({ group }) => group.number === number)?.tenure;
  const { lease, sinceMs } = turns.leaseOn(number);
  const by = lease === undefined || lease.holder === null || lease.restMs <= sinceMs ? null : memberOf(lease.holder);
  const holder = tenure === undefined ? by : name;
  return {
    group: number,
    sources,
    holder,
    epoch: tenure?.epoch ?? lease?.epoch ?? 0,
    renewedMs: holder === null || lease === undefined ? null : Math.max(0, leaseMs - lease.restMs) + sinceMs,
  };
}
