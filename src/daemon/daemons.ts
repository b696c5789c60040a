/** The daemons of a process, as whoever asks them sees them. */
import type { Daemon } from './daemon.ts';
import type { ReceiverFacts } from './drawing.ts';

/** Those of this process: one, or one for each group of the sources that is led here. They throw where there is none to ask. */
export interface Daemons {
  all(): readonly Daemon[];
  /** That has an alert of a source. */
  of(source: string, alert: string): Daemon;
  /** That keeps what holds for all sources. */
  first(): Daemon;
  /** What daemons of other members have promised, as it was last committed. */
  elsewhere(): readonly KeptElsewhere[];
}

export interface KeptElsewhere {
  /** The member whose it is; null where nobody leads. */
  holder: string | null;
  receivers: readonly ReceiverFacts[];
}

/** One that watches everything. */
export function alone(daemon: () => Daemon): Daemons {
  return { all: () => [daemon()], of: daemon, first: daemon, elsewhere: () => [] };
}
