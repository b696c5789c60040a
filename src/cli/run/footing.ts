/** Where a daemon keeps its state, and its limits: files of its own, or a shard whose lease it holds. */
import type { Clock } from '../../daemon/common/clock.ts';
import type { Assembled, Assembly, Limiters } from '../../daemon/setup/assemble.ts';
import type { Recorder } from '../../daemon/replay/recorder.ts';
import type { History } from '../../history/history-writer.ts';
import type { OpenLog } from '../../log/open-log.ts';
import type { Receiver } from '../../receivers/receiver.ts';
import type { Lock } from '../../store/lock.ts';
import type { Store } from '../../store/store.ts';
import type { Configuration } from '../configuration.ts';
import type { Platform } from '../platform.ts';

export interface Footing {
  store: Store;
  history: History;
  limiters: Limiters;
  /** Every receiver goes through it. */
  through(receiver: Receiver): Receiver;
  /** The sources of its shard, where others watch the others; default: all are watched. */
  group?: Assembly['group'];
  reserveNumbers?: Assembly['reserveNumbers'];
}

/** What stays the same for the life of the process. */
export interface Lifetime {
  platform: Platform;
  /** As given on the command line. */
  file: string | undefined;
  first: Configuration;
  lock: Lock;
  /** Where histories are recorded; null for nowhere. */
  record: string | null;
  present: Present;
  clock: Clock;
  log: OpenLog;
}

export type Wanted = Pick<Configuration, 'config' | 'secrets'>;

/** What runs now; a reload replaces it. */
export interface Present extends Wanted {
  recorder: Recorder | null;
  /** Null before the first daemon is assembled. */
  assembled: Assembled | null;
}
