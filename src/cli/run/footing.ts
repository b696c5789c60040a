/** What a daemon stands on: where it keeps what it knows, and what it may do. Its own files, or a lease among others. */
import type { SelfEvent } from '../../core/engine/itself.ts';
import type { MembersView } from '../../core/view/picture.ts';
import type { Clock } from '../../daemon/clock.ts';
import type { Assembled, Assembly, Limiters } from '../../daemon/assemble.ts';
import type { Recorder } from '../../daemon/recorder.ts';
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
  /** Aborted when it is lost; null where it cannot be. */
  over: AbortSignal | null;
  /** Resolves as soon as what is known can be saved, or when the signal is aborted; absent where that is never waited for. */
  untilSaved?(signal: AbortSignal): Promise<void>;
  /** Whether it was told to stop before it could hear so itself. */
  isStopped(): boolean;
  /** Who takes part, as it is known now; null where nobody else does. */
  members(): MembersView | null;
  /** To be told at the start. */
  happened: readonly SelfEvent[];
  /** From then on whatever happens to the footing is told so. */
  tells(tell: (event: SelfEvent) => void): void;
  /** Of the sources, where others watch the others; default: all are watched. */
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
