/** The roll of members as one of them keeps it: what it says of itself, and what it last heard of all. */
import type { Database } from '../store/postgres/connection.ts';
import {
  membersOf,
  reportMember,
  type Member,
  type MemberReport,
  type MemberStanding,
  type Leads,
} from '../store/postgres/members.ts';
import type { Clock } from './clock.ts';

export interface Roll {
  readonly members: readonly Member[];
  /** By the monotonic clock: when the members were last heard of, and when this one last said how it stands. */
  readonly heardAt: number;
  readonly saidAt: number;
  /** Null before the first time. */
  readonly said: MemberStanding | null;
  /** Writes down how this one stands and hears of the others. Rejects with `DatabaseError`. */
  say(standing: MemberStanding, epoch: number | null, leads?: Leads | null): Promise<void>;
  /** Hears of the others. Rejects with `DatabaseError`. */
  refresh(): Promise<void>;
  /** Something that was asked of the database: how long it takes is said the next time. */
  timed<T>(asked: Promise<T>): Promise<T>;
}

export interface RollOptions extends Pick<MemberReport, 'instance' | 'name' | 'version'> {
  database: Database;
  clock: Clock;
}

/** Asks nothing of the database by itself: `members` is empty until `say` or `refresh` has resolved. */
export function openRoll({ database, clock, ...self }: RollOptions): Roll {
  const startedAt = clock.now();
  let lagMs: number | null = null;
  let saidAt = -Infinity;
  let said: MemberStanding | null = null;
  let heard: { at: number; members: readonly Member[] } = { at: clock.monotonic(), members: [] };

  async function refresh(): Promise<void> {
    heard = { at: clock.monotonic(), members: await membersOf(database, self.instance) };
  }

  return {
    get members() {
      return heard.members;
    },
    get heardAt() {
      return heard.at;
    },
    get saidAt() {
      return saidAt;
    },
    get said() {
      return said;
    },
    async say(standing, epoch, leads = null) {
      [saidAt, said] = [clock.monotonic(), standing];
      const report = { ...self, standing, epoch, leads, now: clock.now(), startedAt, lagMs };
      heard = { at: saidAt, members: await reportMember(database, report) };
    },
    refresh,
    async timed(asked) {
      const at = clock.monotonic();
      const answer = await asked;
      lagMs = clock.monotonic() - at;
      return answer;
    },
  };
}
