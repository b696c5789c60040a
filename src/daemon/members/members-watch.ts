/**
 * Detects problems of the other members for the leader: silent members, wrong clocks, other layouts and configurations.
 * Reports only what persists over several looks: after an outage of the database all members look silent.
 */
import type { LeaseTiming } from './member-base.ts';
import {
  CLOCKS_DIFFER_MS,
  toTroubleKey,
  type MembersObservation,
  type MemberTrouble,
} from '../../core/engine/member-trouble.ts';
import type { ShardView } from '../../core/view/shard-view.ts';
import { findWantedLayout, type Member } from '../../store/postgres/members.ts';
import type { ComparedMember } from './config-differences.ts';

/** With several shards: their leaders, and this member's layout. */
export interface DividedSources {
  shards: readonly ShardView[];
  layout: string | null;
}

/** A wrong clock counts as right again below this difference. */
const CLOCKS_AGREE_MS = 1_000;
/** Number of leases for which a problem has to last. */
const LEASES_UNTIL_REPORTED = { silent: 4, layout: 10, configuration: 10, clock: 1, 'database clock': 1 } as const;
/** Reports again after this time, as the first report may have failed. */
const REPORT_AGAIN_AFTER_MS = 60_000;

/** Call at every look; looks further apart than a lease start afresh. */
export function createMembersWatch({ leaseMs, clock: { monotonic } }: LeaseTiming) {
  /** Start of each problem. */
  let since = new Map<string, number>();
  let lookedAt = -Infinity;
  let lastReport = { at: -Infinity, what: '' };

  return {
    /** Null if there is nothing to report. */
    check(members: readonly ComparedMember[], divided?: DividedSources): MembersObservation | null {
      const now = monotonic();
      if (now - lookedAt > leaseMs) since = new Map();
      lookedAt = now;
      const present = members.filter(({ standing, silentMs }) => standing !== 'stopped' && silentMs <= leaseMs);
      const found = findTroubles(members, present, divided);
      since = new Map(found.map((trouble) => [toTroubleKey(trouble), since.get(toTroubleKey(trouble)) ?? now]));
      const troubles = found.filter((trouble) => {
        const lasted = now - (since.get(toTroubleKey(trouble)) ?? now);
        return lasted >= LEASES_UNTIL_REPORTED[trouble.kind] * leaseMs;
      });
      const well = listHealthy(members, present, divided);
      const what = JSON.stringify([troubles.map(toTroubleKey), well]);
      if (what === lastReport.what && now - lastReport.at < REPORT_AGAIN_AFTER_MS) return null;
      lastReport = { at: now, what };
      return { kind: 'members', members: members.map(({ name }) => name), troubles, well };
    },
  };
}

function findTroubles(
  members: readonly ComparedMember[],
  present: readonly ComparedMember[],
  divided: DividedSources | undefined,
): MemberTrouble[] {
  const standingBy = present.flatMap(({ name, standing }) => (standing === 'standing by' ? [name] : []));
  const silent = members.filter((member) => member.standing !== 'stopped' && !present.includes(member));
  return [
    ...silent.map(({ name, leads }) => ({
      kind: 'silent' as const,
      member: name,
      standingBy,
      ...(divided !== undefined && {
        moved: divided.shards.filter(({ shard }) => leads?.groups.includes(shard)),
        others: present.map((member) => member.name),
      }),
    })),
    ...findLayoutTroubles(present, divided),
    ...findConfigurationTroubles(present, divided),
    ...findClockTroubles(present),
  ];
}

function hasOtherLayout({ leads }: Member, divided: DividedSources | undefined): boolean {
  return divided !== undefined && leads !== null && findWantedLayout(leads) !== divided.layout;
}

/** An older version without shards reports no layout, and waits until no shard is led. */
function findLayoutTroubles(present: readonly Member[], divided: DividedSources | undefined): MemberTrouble[] {
  const alike = present.filter((member) => !hasOtherLayout(member, divided)).map(({ name }) => name);
  const unlike = present.filter((member) => hasOtherLayout(member, divided));
  return unlike.map(({ name }) => ({ kind: 'layout', member: name, others: alike }));
}

/** Members with another layout have another configuration, which is reported already. */
function findConfigurationTroubles(
  present: readonly ComparedMember[],
  divided: DividedSources | undefined,
): MemberTrouble[] {
  return present.flatMap((member): MemberTrouble[] => {
    const { name, difference } = member;
    if (difference === null || hasOtherLayout(member, divided)) return [];
    return [{ kind: 'configuration', member: name, than: difference.than, difference: difference.parts }];
  });
}

function findClockTroubles(present: readonly Member[]): MemberTrouble[] {
  const off = present.filter(({ clockAheadMs }) => Math.abs(clockAheadMs) >= CLOCKS_DIFFER_MS);
  const [first] = off;
  const areAlike = off.every(
    ({ clockAheadMs }) => Math.abs(clockAheadMs - (first?.clockAheadMs ?? 0)) < CLOCKS_DIFFER_MS,
  );
  // With two clocks it is unknown which is wrong: two members together outweigh the database's.
  if (first !== undefined && off.length > 1 && off.length === present.length && areAlike) {
    return [{ kind: 'database clock', aheadMs: first.clockAheadMs }];
  }
  return off.map(({ name, clockAheadMs }) => ({ kind: 'clock', member: name, aheadMs: clockAheadMs }));
}

/** Keys of problems that certainly do not exist. */
function listHealthy(
  members: readonly ComparedMember[],
  present: readonly ComparedMember[],
  divided: DividedSources | undefined,
): string[] {
  const right = present.filter(({ clockAheadMs }) => Math.abs(clockAheadMs) < CLOCKS_AGREE_MS);
  const same = present.filter(({ difference }) => difference === null);
  const stopped = members.filter(({ standing }) => standing === 'stopped');
  const alike = present.filter(
    ({ leads }) => divided === undefined || (leads && findWantedLayout(leads)) === divided.layout,
  );
  return [
    ...[...present, ...stopped].map(({ name }) => toTroubleKey({ kind: 'silent', member: name })),
    ...[...alike, ...stopped].map(({ name }) => toTroubleKey({ kind: 'layout', member: name })),
    ...[...same, ...stopped].map(({ name }) => toTroubleKey({ kind: 'configuration', member: name })),
    ...right.map(({ name }) => toTroubleKey({ kind: 'clock', member: name })),
    ...(right.length > 0 ? [toTroubleKey({ kind: 'database clock' })] : []),
  ];
}
