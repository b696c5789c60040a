/** What is about to be said of an alert, and when. */
import { type Held, type ToPeople, whyNotTold } from '../alert/decision.ts';
import type { Alert } from '../alert/alert.ts';
import type { AccountState } from '../engine/account-kind.ts';
import type { SourceState } from '../engine/page-kind.ts';
import { mainChange, tell } from '../wording/combine.ts';
import type { WaitingMessage } from './story/story.ts';

interface Watched {
  name: string;
  /** What people call an account. */
  called?: string;
  state: AccountState | SourceState;
}

/** What a message that waits says, in one line. */
export function headlineOf(
  message: WaitingMessage,
  { timezone, now, sources }: { timezone: string; now: number; sources: readonly Watched[] },
): string {
  const customer = (source: string): string | null => sources.find(({ name }) => name === source)?.called ?? null;
  return tell(mainChange(message), { timezone, now, names: () => null, customer }).headline;
}

/** What waits by the clock of an account, which stands still between two looks. */
function wallTime(clock: number, { observedAt, snapshot }: Watched['state']): number | null {
  return observedAt === null || !('clock' in snapshot) ? null : observedAt + clock - snapshot.clock;
}

/** Why people have not been told of an alert, of which these are the parts, and when they will be; null where they have. */
export function whyPeopleWait(
  parts: readonly Alert[],
  { sources, toPeople }: { sources: readonly Watched[]; toPeople?: (source: string) => ToPeople | null },
): Held | null {
  const reasons = parts.map((part) => {
    const state = sources.find(({ name }) => name === part.source)?.state;
    return whyNotTold(part, toPeople?.(part.source) ?? null, (clock) =>
      state === undefined ? null : wallTime(clock, state),
    );
  });
  return reasons.every((reason) => reason !== null) ? (reasons[0] ?? null) : null;
}
