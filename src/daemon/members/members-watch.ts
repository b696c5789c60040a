/**
 * Detects problems of the other members for the leader: silent members, wrong clocks, other layouts and configurations.
 * Reports only what persists over several looks: after an outage of the database all members look silent.
 */
import {
  CLOCKS_DIFFER_MS,
  toTroubleKey,
  type MembersObservation,
  type MemberTrouble,
} from '../../core/engine/member-trouble.ts';
import type { ShardView } from '../../core/view/shard-view.ts';
import { findWantedLayout, type Member } from '../../store/postgres/members.ts';
import type { HeardMember } from './config-differences.ts';

/** With several shards: their leaders, and this member's layout. */
export interface DividedSources {
  shards: readonly ShardView[];
  layout: string | null;
}

export interface MembersWatchDeps {
  leaseMs: number;
  monotonic(): number;
}

/** A wrong clock counts as right again below this difference. */
const CLOCKS_AGREE_MS = 1_000;
/** Number of leases for which a problem has to last. */
const LEASES_UNTIL_REPORTED = { silent: 4, layout: 10, configuration: 10, clock: 1, 'database clock': 1 } as const;
/** Reports again after this time, as the first report may have failed. */
const REPORT_AGAIN_AFTER_MS = 60_000;

/** Call at every look; looks further apart than a lease start afresh. */
export function createMembersWatch({ leaseMs, monotonic }: MembersWatchDeps) {
  /** Start of each problem. */
  let since = new Map<string, number>();
  let lookedAt = -Infinity;
  let lastReport = { at: -Infinity, what: '' };

  return {
    /** Null if there is nothing to report. */
    looked(members: readonly HeardMember[], divided?: DividedSources): MembersObservation | null {
      const now = monotonic();
      if (now - lookedAt > leaseMs) since = new Map();
      lookedAt = now;
      const present = findTroubles(members, divided, leaseMs);
      since = new Map(present.map((trouble) => [toTroubleKey(trouble), since.get(toTroubleKey(trouble)) ?? now]));
      const troubles = present.filter((trouble) => {
        const lasted = now - (since.get(toTroubleKey(trouble)) ?? now);
        return lasted >= LEASES_UNTIL_REPORTED[trouble.kind] * leaseMs;
      });
      const well = listHealthy(members, divided, leaseMs);
      const what = JSON.stringify([troubles.map(toTroubleKey), well]);
      if (what === lastReport.what && now - lastReport.at < REPORT_AGAIN_AFTER_MS) return null;
      lastReport = { at: now, what };
      return { kind: 'members', members: members.map(({ name }) => name), troubles, well };
    },
  };
}

function isHeard({ standing, silentMs }: Member, leaseMs: number): boolean {
  return standing !== 'stopped' && silentMs <= leaseMs;
}

function findTroubles(
  members: readonly HeardMember[],
  divided: DividedSources | undefined,
  leaseMs: number,
): MemberTrouble[] {
  const heard = members.filter((member) => isHeard(member, leaseMs));
  const standingBy = heard.flatMap(({ name, standing }) => (standing === 'standing by' ? [name] : []));
  const silent = members.filter((member) => member.standing !== 'stopped' && !isHeard(member, leaseMs));
  return [
    ...silent.map(({ name, leads }) => ({
      kind: 'silent' as const,
      member: name,
      standingBy,
      ...(divided !== undefined && {
        moved: divided.shards.filter(({ shard }) => leads?.groups.includes(shard)),
        others: heard.map((member) => member.name),
      }),
    })),
    ...findLayoutTroubles(heard, divided),
    ...findConfigurationTroubles(heard, divided),
    ...findClockTroubles(heard),
  ];
}

function hasOtherLayout({ leads }: Member, divided: DividedSources | undefined): boolean {
  return divided !== undefined && leads !== null && findWantedLayout(leads) !== divided.layout;
}

/** An older version without shards reports no layout, and waits until no shard is led. */
function findLayoutTroubles(heard: readonly Member[], divided: DividedSources | undefined): MemberTrouble[] {
  const alike = heard.filter((member) => !hasOtherLayout(member, divided)).map(({ name }) => name);
  return heard.flatMap((member): MemberTrouble[] => {
    const { name } = member;
    return hasOtherLayout(member, divided) ? [{ kind: 'layout', member: name, others: alike }] : [];
  });
}

/** Members with another layout have another configuration, which is reported already. */
function findConfigurationTroubles(
  heard: readonly HeardMember[],
  divided: DividedSources | undefined,
): MemberTrouble[] {
  return heard.flatMap((member): MemberTrouble[] => {
    const { name, difference } = member;
    if (difference === null || hasOtherLayout(member, divided)) return [];
    return [{ kind: 'configuration', member: name, than: difference.than, difference: difference.parts }];
  });
}

function findClockTroubles(heard: readonly Member[]): MemberTrouble[] {
  const off = heard.filter(({ clockAheadMs }) => Math.abs(clockAheadMs) >= CLOCKS_DIFFER_MS);
  const [first] = off;
  const areAlike = off.every(
    ({ clockAheadMs }) => Math.abs(clockAheadMs - (first?.clockAheadMs ?? 0)) < CLOCKS_DIFFER_MS,
  );
  // With two clocks it is unknown which is wrong: two members together outweigh the database's.
  if (first !== undefined && off.length > 1 && off.length === heard.length && areAlike) {
    return [{ kind: 'database clock', aheadMs: first.clockAheadMs }];
  }
  return off.map(({ name, clockAheadMs }) => ({ kind: 'clock', member: name, aheadMs: clockAheadMs }));
}

/** Keys of problems that certainly do not exist. */
function listHealthy(members: readonly HeardMember[], divided: DividedSources | undefined, leaseMs: number): string[] {
  const heard = members.filter((member) => isHeard(member, leaseMs));
  const right = heard.filter(({ clockAheadMs }) => Math.abs(clockAheadMs) < CLOCKS_AGREE_MS);
  const same = heard.filter(({ difference }) => difference === null);
  const stopped = members.filter(({ standing }) => standing === 'stopped');
  const alike = heard.filter(
    ({ leads }) => divided === undefined || (leads && findWantedLayout(leads)) === divided.layout,
  );
  return [
    ...[...heard, ...stopped].map(({ name }) => toTroubleKey({ kind: 'silent', member: name })),
    ...[...alike, ...stopped].map(({ name }) => toTroubleKey({ kind: 'layout', member: name })),
    ...[...same, ...stopped].map(({ name }) => toTroubleKey({ kind: 'configuration', member: name })),
    ...right.map(({ name }) => toTroubleKey({ kind: 'clock', member: name })),
    ...(right.length > 0 ? [toTroubleKey({ kind: 'database clock' })] : []),
  ];
}
