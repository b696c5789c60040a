/** Reports of the members: this member writes its own, and reads those of the others. */
import type { MemberBase } from './member-base.ts';
import { ForeseenError } from '../../net/failure.ts';
import {
  forgetMember,
  listMembers,
  reportMember,
  type Member,
  type MemberReport,
  type MemberStanding,
  type Leads,
} from '../../store/postgres/members.ts';
import { createComparison, type ComparedMember } from './config-differences.ts';

/** State of a leader for its report: its newest epoch, and its smallest share of the rate limits. */
export type CurrentLead = Pick<MemberReport, 'share'> & { epoch: number };

export interface KnownMember extends ComparedMember {
  /** Milliseconds since this process of it was first seen here. */
  knownMs: number;
}

export type MemberRegistry = ReturnType<typeof openRegistry>;

export interface RegistryOptions extends MemberBase, Pick<MemberReport, 'version' | 'process'> {}

/** Two processes use the same name, such as a machine and its clone. */
class NameTaken extends ForeseenError {
  override readonly name = 'NameTaken';

  constructor(member: string) {
    super(`Another process takes part as ${member}: give each member a name of its own with database.member.`);
  }
}

/** Sends no request by itself: `members` is empty until `report` or `refresh` has resolved. */
export function openRegistry({ database, leaseMs, clock, log, digest, ...self }: RegistryOptions) {
  const compareAll = createComparison({ database, log, digest, ...self });
  /** Hash of the configuration whose parts are saved. */
  let saved: string | null = null;
  const startedAt = clock.now();
  let lagMs: number | null = null;
  let reportedAt = -Infinity;
  let reported: MemberStanding | null = null;
  let lastRead: { at: number; members: readonly KnownMember[] } = { at: -Infinity, members: [] };

  /** This process has the name. */
  let isNamed = false;
  /** Time of the last report by the process that had the name, as first seen here. */
  let formerSeenAt: string | null = null;

  /** Silence of each member, on the own clock since its first sight. */
  async function update(at: number, all: readonly Member[]): Promise<void> {
    const members = await compareAll(all);
    const before = new Map(lastRead.members.map((member) => [member.name, member]));
    const passedMs = Math.max(0, at - lastRead.at);
    lastRead = {
      at,
      members: members.map((member) => {
        const known = before.get(member.name);
        const byDatabaseMs = Math.max(0, member.silentMs);
        if (known === undefined) return { ...member, silentMs: byDatabaseMs, knownMs: 0 };
        const isSame = known.seenAt === member.seenAt;
        const silentMs = isSame ? known.silentMs + passedMs : Math.min(byDatabaseMs, passedMs);
        return { ...member, silentMs, knownMs: known.process === member.process ? known.knownMs + passedMs : 0 };
      }),
    };
  }

  async function refresh(): Promise<void> {
    await update(clock.monotonic(), await listMembers(database, self.instance));
  }

  function own(): Member | undefined {
    return lastRead.members.find(({ name }) => name === self.name);
  }

  async function hasName(): Promise<boolean> {
    if (isNamed) return true;
    await refresh();
    const former = own();
    const isOver = former === undefined || former.standing === 'stopped' || former.process === null;
    if (isOver || former.silentMs > leaseMs) return true;
    formerSeenAt ??= former.seenAt;
    if (former.seenAt !== formerSeenAt) throw new NameTaken(self.name);
    return false;
  }

  return {
    get members(): readonly KnownMember[] {
      return lastRead.members;
    },
    /** On the monotonic clock: time of the last reading of all reports, and of the last own report that was written. */
    get readAt(): number {
      return lastRead.at;
    },
    get reportedAt(): number {
      return reportedAt;
    },
    /** Null before the first report. */
    get standing(): MemberStanding | null {
      return reported;
    },
    /**
     * True if this process has its name, or may take it; false while it is unknown whether the process that had it still
     * lives. Rejects with `NameTaken` if it does, and with `DatabaseError`.
     */
    hasName,
    /**
     * Writes this member's report and reads the others'. Rejects with `NameTaken` if another process has the name, and
     * with `DatabaseError`.
     */
    async report(standing: MemberStanding, led: CurrentLead | null, leads: Leads | null = null): Promise<void> {
      const askedAt = clock.monotonic();
      reported = standing;
      const { epoch, share } = led ?? { epoch: null, share: null };
      const { hash: configuration, parts } = digest();
      const config = { configuration, parts: configuration === saved ? null : JSON.stringify(parts) };
      const by = { ...self, ...config, takesName: !isNamed };
      const report = { ...by, standing, epoch, share, leads, now: clock.now(), startedAt, lagMs };
      await update(askedAt, await reportMember(database, report));
      if (own()?.process !== self.process) throw new NameTaken(self.name);
      [isNamed, saved, reportedAt] = [true, configuration, askedAt];
    },
    /** Reads the reports of the others. Rejects with `DatabaseError`. */
    refresh,
    /** Removes all state of a member. Rejects with `DatabaseError`. */
    async forget(name: string): Promise<void> {
      await forgetMember(database, self.instance, name);
      await refresh();
    },
    /** Measures a request to the database for the next report. */
    async timed<T>(asked: Promise<T>): Promise<T> {
      const at = clock.monotonic();
      const answer = await asked;
      lagMs = clock.monotonic() - at;
      return answer;
    },
  };
}
