/**
 * Whose turn it is among members that share groups of the sources: a look at the leases and at the others, and this member
 * takes what it should have, keeps it, and knows what it has too much.
 */
import { layoutOf, type SourceGroup } from '../config/groups.ts';
import { greatest } from '../core/transition/long-lists.ts';
import type { Log } from '../log/log.ts';
import type { Database } from '../store/postgres/connection.ts';
import { DatabaseError } from '../store/postgres/database-error.ts';
import {
  adoptLayout,
  groupLeasesOf,
  leaseOf,
  type GroupLease,
  type GroupLeases,
} from '../store/postgres/group-leases.ts';
import { giveBackLease, renewLease, takeLease, type Term } from '../store/postgres/lease.ts';
import type { Leads, Member, MemberStanding } from '../store/postgres/members.ts';
import type { Wakeups } from '../store/postgres/wakeups.ts';
import type { Clock } from './clock.ts';
import { FORMAT } from './documents.ts';
import { createExcess, fairShare } from './fair-share.ts';
import { hold, REPORTS_A_LEASE, type LeaseAccess, type Tenure } from './leadership.ts';
import { mayLead, memberOf, sayTooOld } from './membership.ts';
import { regroup } from './regrouped.ts';
import type { Roll } from './roll.ts';

/** A group that this member leads. */
export interface Led {
  group: SourceGroup;
  tenure: Tenure;
}

export interface GroupTurns {
  readonly groups: readonly SourceGroup[];
  /** How this member divides the sources. */
  readonly layout: string;
  /** False while others lead with another division of the sources. */
  readonly isDivided: boolean;
  /** Reports to the others, and takes what is this member's turn. Rejects with `DatabaseError`. */
  look(): Promise<void>;
  /** Reads the leases, and no more. Rejects with `DatabaseError`. */
  read(): Promise<void>;
  /** What this member leads now. */
  led(): Led[];
  /** As it was last read, and how many milliseconds ago. */
  leaseOn(group: number): { lease: GroupLease | undefined; sinceMs: number };
  /**
   * `waiting`: another one leads what this member should have, which may be given back at any moment. `calm`: every group is
   * led by whoever should have it, and its lease was renewed in time.
   */
  readonly pace: 'waiting' | 'watching' | 'calm';
  /** When the first group last saved what it keeps for all, as it was last read; null where that is not known. */
  readonly savedForAllAt: string | null;
  /** Numbers of groups that another one should have by now, as the last look found; none where that failed. */
  excess(): number[];
  /** Divides the sources otherwise from now on; nothing may be led meanwhile. */
  divide(groups: readonly SourceGroup[]): void;
  /** Takes nothing any more and says so: what it leads is to be given back. Rejects with `DatabaseError`. */
  retire(): Promise<void>;
  /** As whom this member writes of a group that it leads. */
  termOf(led: Led): Term;
}

export interface TurnsDeps {
  instance: string;
  name: string;
  version: string;
  /** This process, and no other that ever was. */
  holder: string;
  leaseMs: number;
  groups: readonly SourceGroup[];
  database: Database;
  /** With time for what takes longer than a look. */
  records: Database;
  /** Of the groups whose daemons run here. */
  troubles(): NonNullable<Leads['troubles']>;
  /** The others hear at once what is given back. */
  wakeups: Pick<Wakeups, 'wake'>;
  roll: Roll;
  clock: Clock;
  log: Log;
}

const NOTHING_READ: GroupLeases = { layout: null, format: 0, savedForAllAt: null, groups: [] };
/** So much of a lease is left at least where it was renewed in time. */
const RENEWED_IN_TIME = 0.5;

/** Leads nothing before the first `look`. Groups are divided as `deps.groups` until `divide` says otherwise. */
export function createGroupTurns(deps: TurnsDeps): GroupTurns {
  const { instance, name, leaseMs, database, records, roll, clock, log } = deps;
  const excessAmong = createExcess({ name, leaseMs, monotonic: clock.monotonic });
  let excess: readonly number[] = [];
  let pace: GroupTurns['pace'] = 'watching';
  let leases: GroupLeases & { at: number } = { ...NOTHING_READ, at: -Infinity };
  let hasAsks = true;
  let { groups } = deps;
  let layout = layoutOf(groups);
  let isDivided = true;
  const { led, report, take, retire, term } = createHoldings(deps, () => layout);

  const leaseOn = (number: number): GroupLease | undefined => leases.groups.find(({ group }) => group === number);
  const isFree = (number: number): boolean => !led.has(number) && (leaseOn(number)?.restMs ?? 0) === 0;

  /** Whoever leads it should, and has renewed its lease in time. */
  function isSettled(number: number, by: string | undefined): boolean {
    if (led.has(number)) return by === name;
    const { holder = null, restMs = 0 } = leaseOn(number) ?? {};
    return holder !== null && memberOf(holder) === by && restMs >= leaseMs * RENEWED_IN_TIME;
  }

  async function read(): Promise<void> {
    const at = clock.monotonic();
    try {
      leases = { ...(await roll.timed(groupLeasesOf(database, instance, hasAsks))), at };
    } catch (error) {
      if (!hasAsks || !(error instanceof DatabaseError) || !error.lacksTable) throw error;
      log.warn('What other members ask cannot be seen', { error });
      hasAsks = false;
      await read();
    }
  }

  async function reportInTime(): Promise<void> {
    if (clock.monotonic() - roll.saidAt < leaseMs / REPORTS_A_LEASE) return;
    const isTooOld = leases.format > FORMAT;
    if (isTooOld) sayTooOld(roll, log, deps.version);
    await report(isTooOld ? 'too old' : undefined);
  }

  /** Whether the sources are divided as this member does it. */
  async function isLayoutHere(): Promise<boolean> {
    if (leases.layout === layout) return (isDivided = true);
    const rules = { instance, layout, format: FORMAT, leaseMs };
    const adopted = await adoptLayout(records, { ...rules, regroup: (ask) => regroup(ask, instance, groups.length) });
    if (adopted) await read();
    if (adopted) log.info('The sources are divided anew', { groups: groups.map(({ sources }) => sources.length) });
    else if (isDivided) log.warn('Others lead with another division of the sources: this member waits for them');
    return (isDivided = adopted);
  }

  async function look(): Promise<void> {
    for (const [group, { tenure }] of led) if (tenure.over.aborted) led.delete(group);
    // What is given up while the database is away could be taken by nobody.
    excess = [];
    pace = 'watching';
    await read();
    await reportInTime();
    if (roll.said === 'too old' || roll.said === 'stopped' || !(await isLayoutHere())) return;
    // Who was there a moment ago may have stopped.
    if (groups.some(({ number }) => isFree(number))) await roll.refresh();
    const share = shareNow();
    excess = excessAmong([...led.keys()], share);
    const own = groups.filter(({ number }) => share.get(number) === name);
    for (const group of own) if (isFree(group.number)) await take(group);
    if (own.some(({ number }) => !led.has(number))) pace = 'waiting';
    else if (groups.every(({ number }) => isSettled(number, share.get(number)))) pace = 'calm';
  }

  function shareNow(): Map<number, string> {
    const sinceMs = clock.monotonic() - roll.heardAt;
    const own = [...led.keys()].map((group): [number, string] => [group, name]);
    return fairShare(
      groups.map(({ number }) => number),
      presentAmong(roll.members, { layout, withinMs: leaseMs - sinceMs }),
      new Map([...heldBy(leases.groups), ...own]),
    );
  }

  return {
    get groups() {
      return groups;
    },
    get layout() {
      return layout;
    },
    get isDivided() {
      return isDivided;
    },
    look,
    read,
    led: () => [...led.values()].filter(({ tenure }) => !tenure.over.aborted),
    leaseOn: (group) => ({ lease: leaseOn(group), sinceMs: clock.monotonic() - leases.at }),
    get pace() {
      return pace;
    },
    get savedForAllAt() {
      return leases.savedForAllAt;
    },
    excess: () => excess.filter((group) => led.has(group)),
    divide(others) {
      [groups, layout, isDivided] = [others, layoutOf(others), true];
    },
    retire,
    termOf: ({ group, tenure }) => term(group.number, tenure.epoch),
  };
}

/** What this member leads, and how the others hear of it. */
function createHoldings(
  { instance, name, holder, leaseMs, database, troubles, wakeups, roll, clock, log }: TurnsDeps,
  layout: () => string,
) {
  const led = new Map<number, Led>();
  let isRetired = false;
  const term = (group: number, epoch: number): Term => ({ instance, name: leaseOf(group), holder, epoch });

  /** `taken`: what it leads from now on, by group. */
  async function report(
    standing?: MemberStanding,
    taken: readonly [group: number, epoch: number][] = [],
  ): Promise<void> {
    const all = [...[...led].map(([group, { tenure }]) => [group, tenure.epoch] as const), ...taken];
    const leads = {
      layout: layout(),
      groups: all.map(([group]) => group).toSorted((a, b) => a - b),
      troubles: troubles(),
    };
    const says = standing ?? (all.length > 0 ? 'leading' : 'standing by');
    await roll.say(
      isRetired ? 'stopped' : says,
      all.length === 0 ? null : greatest(all.map(([, epoch]) => epoch)),
      leads,
    );
  }

  function accessTo(group: number): LeaseAccess {
    return {
      take: () => Promise.resolve(null),
      renew: (epoch) => renewLease(database, term(group, epoch), leaseMs),
      async giveBack(epoch, slots) {
        led.delete(group);
        // In this order the next one knows that it asks no more.
        await report();
        await giveBackLease(database, term(group, epoch), slots);
        await wakeups.wake();
      },
      rivals: () => roll.members.filter((other) => other.name !== name && mayLeadGroup(other, group, layout())).length,
    };
  }

  return {
    led,
    term,
    report,
    async take(group: SourceGroup): Promise<void> {
      const { number } = group;
      const asked = { at: clock.monotonic(), wall: clock.now() };
      const claim = { instance, name: leaseOf(number), holder, format: FORMAT, leaseMs, layout: layout() };
      const taken = await takeLease(database, claim);
      if (taken === null) return;
      try {
        await report(undefined, [[number, taken.epoch]]);
      } catch (error) {
        // Where the next one could not know that this one has led, it must not begin.
        await giveBackLease(database, term(number, taken.epoch), taken.slots).catch(() => undefined);
        throw error;
      }
      led.set(number, { group, tenure: hold({ lease: accessTo(number), leaseMs, clock, log }, taken, asked) });
    },
    async retire(): Promise<void> {
      isRetired = true;
      if (roll.said !== null) await report();
    },
  };
}

/** Those that are heard of and divide the sources so. */
function presentAmong(
  members: readonly Member[],
  { layout, withinMs }: { layout: string; withinMs: number },
): string[] {
  return members.flatMap(({ name, standing, silentMs, leads }) => {
    const isHere = standing === 'leading' || standing === 'standing by';
    return isHere && silentMs <= withinMs && leads?.layout === layout ? [name] : [];
  });
}

function heldBy(leases: readonly GroupLease[]): [number, string][] {
  return leases.flatMap(({ group, holder, restMs }): [number, string][] =>
    holder === null || restMs === 0 ? [] : [[group, memberOf(holder)]],
  );
}

/** Whoever knows of no groups leads them all, and by another division any source of them may be among its own. */
function mayLeadGroup(member: Member, group: number, layout: string): boolean {
  if (!mayLead(member)) return false;
  return member.leads === null || member.leads.layout !== layout || member.leads.groups.includes(group);
}
