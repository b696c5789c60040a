/** Backend of a daemon's state, with its limits: files, or a shard with a lease. */
import type { Clock } from '../../daemon/common/clock.ts';
import type { AssembledDaemon, DaemonAssembly, Limiters } from '../../daemon/setup/assemble.ts';
import type { Recorder } from '../../daemon/replay/recorder.ts';
import type { History } from '../../history/history-writer.ts';
import type { OpenLog } from '../../log/open-log.ts';
import type { Receiver } from '../../receivers/receiver.ts';
import type { Lock } from '../../store/lock.ts';
import type { Store } from '../../store/store.ts';
import type { Configuration } from '../configuration.ts';
import type { Platform } from '../platform.ts';

export interface StateBackend {
  store: Store;
  history: History;
  limiters: Limiters;
  /** Wraps every receiver. */
  through(receiver: Receiver): Receiver;
  /** Sources of its shard, if other members watch others; default: all sources. */
  group?: DaemonAssembly['group'];
  reserveNumbers?: DaemonAssembly['reserveNumbers'];
}

/** Values that are constant for the life of the process. */
export interface ProcessContext {
  platform: Platform;
  /** As given on the command line. */
  file: string | undefined;
  first: Configuration;
  lock: Lock;
  /** Directory of recordings; null for none. */
  record: string | null;
  present: RunningState;
  clock: Clock;
  log: OpenLog;
}

export type ReloadRequest = Pick<Configuration, 'config' | 'secrets'>;

/** The running configuration and daemon; a reload replaces them. */
export interface RunningState extends ReloadRequest {
  recorder: Recorder | null;
  /** Null before the first daemon is assembled. */
  assembled: AssembledDaemon | null;
}
