/** What a daemon under test has told, one line a change: `notice.opened notice/5001 (open)`. */
import type { RunningDaemon } from '../support/running-daemon.ts';

export interface Hearing {
  /** What people were told since the last time this was asked. */
  told(): string[];
  /** The same for programs. */
  events(): string[];
}

export function hearingOf({ people, programs }: RunningDaemon): Hearing {
  function ear({ sent }: RunningDaemon['people']): () => string[] {
    let heard = 0;
    return () => {
      const fresh = sent.slice(heard);
      heard = sent.length;
      return fresh.flatMap(({ changes }) =>
        changes.map(({ transition, status }) => `${transition.kind} ${transition.subject} (${status})`),
      );
    };
  }
  return { told: ear(people), events: ear(programs) };
}
