/**
 * Whose turn it is among members that share groups of the sources: a look at the leases and at the others, and this member
 * takes what it should have, keeps it, and knows what it has too much.
 */
import { layoutOf, type SourceGroup } from '../config/groups.ts';
import { greatest } from '../core/transition/long-lists.ts';
import type { Log } from '../log/log.ts';
import type { Database } from '../store/postgres/connection.ts';
import {
  adoptLayout,
  groupLeasesOf,
  leaseOf,
  type GroupLease,
  type GroupLeases,
} from '../store/postgres/group-leases.ts';
import { ALL, giveBackLease, newerHasLed, renewLease, takeLease, type Term } from '../store/postgres/lease.ts';
import type { Member, MemberStanding } from '../store/postgres/members.ts';
import type { Clock } from './clock.ts';
import { FORMAT } from './documents.ts';
import { fairShare } from './fair-share.ts';
import { hold, type LeaseAccess, type Tenure } from './leadership.ts';
import { mayLead, memberOf, REPORTS_A_LEASE } from './membership.ts';
import { regroup } from './regrouped.ts';
import type { Roll } from './roll.ts';

/** A group that this member leads. */
export interface Led {
  group: SourceGroup;
  tenure: Tenure;
}

export interface GroupTurns {
  readonly groups: readonly SourceGroup[];
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
  /** Numbers of groups that another one should have by now. */
  excess(): number[];
  /** Divides the sources otherwise from now on; nothing may be led meanwhile. */
  divide(groups: readonly SourceGroup[]): void;
  /** Takes nothing any more and says so: what it leads is to be given back. Rejects with `DatabaseError`. */
  retire(): Promise<void>;
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
  roll: Roll;
  clock: Clock;
  log: Log;
}

export function createGroupTurns(deps: TurnsDeps): GroupTurns {
  const { instance, name, version, leaseMs, database, records, roll, clock, log } = deps;
  const excess = createExcess({ name, leaseMs, monotonic: clock.monotonic });
  let leases: GroupLeases & { at: number } = { layout: null, groups: [], at: -Infinity };
  let { groups } = deps;
  let layout = layoutOf(groups);
  let isDivided = true;
  const { led, report, take, retire, term } = createHoldings(deps, () => layout);

  const leaseOn = (number: number): GroupLease | undefined => leases.groups.find(({ group }) => group === number);
  const isFree = (number: number): boolean => !led.has(number) && (leaseOn(number)?.restMs ?? 0) === 0;

  async function read(): Promise<void> {
    const at = clock.monotonic();
    leases = { ...(await roll.timed(groupLeasesOf(database, instance))), at };
  }

  async function reportInTime(): Promise<void> {
    if (clock.monotonic() - roll.saidAt < leaseMs / REPORTS_A_LEASE) return;
    const isTooOld = await newerHasLed(database, { instance, name: ALL, format: FORMAT });
    if (isTooOld && roll.said !== 'too old') {
      log.error('A newer Linewatch has led: this one cannot read what it writes, and never leads again', { version });
    }
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
    await read();
    await reportInTime();
    if (roll.said === 'too old' || roll.said === 'stopped' || !(await isLayoutHere())) return;
    // Who was there a moment ago may have stopped.
    if (groups.some(({ number }) => isFree(number))) await roll.refresh();
    const share = shareNow();
    excess.mind([...led.keys()], share);
    for (const group of groups) if (share.get(group.number) === name && isFree(group.number)) await take(group);
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
    get isDivided() {
      return isDivided;
    },
    look,
    read,
    led: () => [...led.values()].filter(({ tenure }) => !tenure.over.aborted),
    leaseOn: (group) => ({ lease: leaseOn(group), sinceMs: clock.monotonic() - leases.at }),
    excess: () => excess.due().filter((group) => led.has(group)),
    divide(others) {
      [groups, layout, isDivided] = [others, layoutOf(others), true];
    },
    retire,
    termOf: ({ group, tenure }) => term(group.number, tenure.epoch),
  };
}

/** What this member leads, and how the others hear of it. */
function createHoldings(
  { instance, name, holder, leaseMs, database, roll, clock, log }: TurnsDeps,
  layout: () => string,
) {
  const led = new Map<number, Led>();
  let isRetired = false;
  const term = (group: number, epoch: number): Term => ({ instance, name: leaseOf(group), holder, epoch });

  async function report(standing: MemberStanding = led.size > 0 ? 'leading' : 'standing by'): Promise<void> {
    const epochs = [...led.values()].map(({ tenure }) => tenure.epoch);
    const leads = { layout: layout(), groups: [...led.keys()].toSorted((a, b) => a - b) };
    await roll.say(isRetired ? 'stopped' : standing, epochs.length === 0 ? null : greatest(epochs), leads);
  }

  function accessTo(group: number): LeaseAccess {
    return {
      take: () => Promise.resolve(null),
      renew: (epoch) => renewLease(database, term(group, epoch), leaseMs),
      async giveBack(epoch, restMs) {
        led.delete(group);
        // In this order the next one knows that it asks no more.
        await report();
        await giveBackLease(database, term(group, epoch), restMs);
      },
      rivals: () => roll.members.filter((other) => other.name !== name && mayLeadGroup(other, group)).length,
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
      const tenure = hold({ lease: accessTo(number), leaseMs, clock, log }, taken, asked);
      led.set(number, { group, tenure });
      try {
        await report();
      } catch (error) {
        // Where the next one could not know that this one has led, it must not begin.
        led.delete(number);
        await tenure.end(-Infinity);
        throw error;
      }
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

interface Excess {
  /** Who should lead what is led here, as of now. */
  mind(led: readonly number[], share: ReadonlyMap<number, string>): void;
  /** What the same other one should have had for a lease: whoever comes and goes gets nothing. */
  due(): number[];
}

function createExcess({ name, leaseMs, monotonic }: { name: string; leaseMs: number; monotonic(): number }): Excess {
  let wanted = new Map<number, { by: string; since: number }>();
  return {
    mind(led, share) {
      const since = monotonic();
      wanted = new Map(
        led.flatMap((group) => {
          const by = share.get(group) ?? name;
          const before = wanted.get(group);
          return by === name ? [] : [[group, before?.by === by ? before : { by, since }] as const];
        }),
      );
    },
    due: () => [...wanted].flatMap(([group, { since }]) => (monotonic() - since >= leaseMs ? [group] : [])),
  };
}

/** Whoever leads and knows of no groups leads them all. */
function mayLeadGroup(member: Member, group: number): boolean {
  return mayLead(member) && (member.leads === null || member.leads.groups.includes(group));
}
