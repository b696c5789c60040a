/** Settings and collaborators that the parts of a member share. */
import type { ConfigDigest } from '../../config/config-digest.ts';
import type { Log } from '../../log/log.ts';
import type { Database } from '../../store/postgres/connection.ts';
import type { Clock } from '../common/clock.ts';

export interface MemberBase {
  /** Name of the installation, the same for all members. */
  instance: string;
  /** Name of this member. */
  name: string;
  leaseMs: number;
  database: Database;
  clock: Clock;
  log: Log;
  /** Digest of the current configuration. */
  digest(): ConfigDigest;
}

/** To time what is observed in leases, on this member's own clock. */
export interface LeaseTiming extends Pick<MemberBase, 'leaseMs'> {
  clock: Pick<Clock, 'monotonic'>;
}
