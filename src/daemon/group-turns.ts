/**
 * Whose turn it is among members that share groups of the sources: a look at the leases and at the others, and this member
 * takes what it should have, keeps it, and knows what it has too much.
 */
import { toLayout, type SourceGroup } from '../config/groups.ts';
import type { Database } from '../store/postgres/connection.ts';
import { adoptLayout, leaseOf } from '../store/postgres/group-leases.ts';
import type { Term } from '../store/postgres/lease.ts';
import type { Member } from '../store/postgres/members.ts';
import { FORMAT } from './documents.ts';
import { createExcess, fairShare } from './fair-share.ts';
import { createHoldings, type HoldingsDeps, type Led } from './group-holdings.ts';
import { REPORTS_A_LEASE } from './leadership.ts';
import { memberOf, sayTooOld } from './membership.ts';
import { regroup } from './regrouped.ts';
import { createLeaseReader, type LeaseSeen } from './seen-leases.ts';

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
  /** As it was last read: who holds it, and for how long it has seen no change. */
  leaseOn(group: number): LeaseSeen | null;
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

export interface TurnsDeps extends HoldingsDeps {
  version: string;
  groups: readonly SourceGroup[];
  /** With time for what takes longer than a look. */
  records: Database;
}

/** So much of a lease has passed at most where it was renewed in time. */
const RENEWED_IN_TIME = 0.5;

/** Leads nothing before the first `look`. Groups are divided as `deps.groups` until `divide` says otherwise. */
export function createGroupTurns(deps: TurnsDeps): GroupTurns {
  const { instance, name, leaseMs, records, roll, clock, log } = deps;
  const excessAmong = createExcess({ name, leaseMs, monotonic: clock.monotonic });
  let excess: readonly number[] = [];
  let pace: GroupTurns['pace'] = 'watching';
  const reader = createLeaseReader({ ...deps, withAsks: true });
  const { read, watch } = reader;
  let { groups } = deps;
  let layout = toLayout(groups);
  let isDivided = true;
  const { led, report, take, retire, term } = createHoldings(deps, () => layout);

  const leaseOn = (number: number): LeaseSeen | null => reader.lease(leaseOf(number));
  const isFree = (number: number): boolean => !led.has(number) && watch.isFree(leaseOf(number));

  /** Whoever leads it should, and has renewed its lease in time. */
  function isSettled(number: number, by: string | undefined): boolean {
    if (led.has(number)) return by === name;
    const { holder = null, unchangedMs = 0 } = leaseOn(number) ?? {};
    return holder !== null && memberOf(holder) === by && unchangedMs <= leaseMs * RENEWED_IN_TIME;
  }

  async function reportInTime(): Promise<void> {
    if (clock.monotonic() - roll.saidAt < leaseMs / REPORTS_A_LEASE) return;
    const isTooOld = reader.known.format > FORMAT;
    if (isTooOld) sayTooOld(roll, log, deps.version);
    await report(isTooOld ? 'too old' : undefined);
  }

  /** Whether the sources are divided as this member does it. */
  async function isLayoutHere(): Promise<boolean> {
    if (reader.known.layout === layout) return (isDivided = true);
    const wanted = { instance, layout, format: FORMAT, leases: reader.known.leases };
    const adopted =
      watch.isEveryoneGone() &&
      (await adoptLayout(records, { ...wanted, regroup: (documents) => regroup(documents, groups.length) }));
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
    if (!(await roll.hasName())) return;
    await reportInTime();
    if (roll.said === 'too old' || roll.said === 'stopped' || !(await isLayoutHere())) return;
    // Who was there a moment ago may have stopped.
    if (groups.some(({ number }) => isFree(number))) await roll.refresh();
    const share = shareNow();
    excess = excessAmong([...led.keys()], share);
    const own = groups.filter(({ number }) => share.get(number) === name);
    for (const group of own) if (isFree(group.number)) await take(group, watch.claimOf(leaseOf(group.number)));
    if (own.some(({ number }) => !led.has(number))) pace = 'waiting';
    else if (groups.every(({ number }) => isSettled(number, share.get(number)))) pace = 'calm';
  }

  function heldElsewhere(): [number, string][] {
    return groups.flatMap(({ number }): [number, string][] => {
      const holder = leaseOn(number)?.holder ?? null;
      return holder === null ? [] : [[number, memberOf(holder)]];
    });
  }

  function shareNow(): Map<number, string> {
    const sinceMs = clock.monotonic() - roll.heardAt;
    const own = [...led.keys()].map((group): [number, string] => [group, name]);
    return fairShare(
      groups.map(({ number }) => number),
      presentAmong(roll.members, { layout, withinMs: leaseMs - sinceMs }),
      new Map([...heldElsewhere(), ...own]),
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
    leaseOn,
    get pace() {
      return pace;
    },
    get savedForAllAt() {
      return reader.known.savedForAllAt;
    },
    excess: () => excess.filter((group) => led.has(group)),
    divide(others) {
      [groups, layout, isDivided] = [others, toLayout(others), true];
    },
    retire,
    termOf: ({ group, tenure }) => term(group.number, tenure.epoch),
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
