/** The next message about an alert, and its time. */
import { type Held, type ToPeople, whyNotTold } from '../alert/decision.ts';
import type { Alert } from '../alert/alert.ts';
import type { AccountState } from '../engine/account-kind.ts';
import type { SourceState } from '../engine/page-kind.ts';
import { mainChange, tell } from '../wording/combine.ts';
import type { WaitingMessage } from './story/story.ts';

interface Watched {
  name: string;
  /** Name of an account for people. */
  called?: string;
  state: AccountState | SourceState;
}

/** Content of a waiting message, in one line. */
export function headlineOf(
  message: WaitingMessage,
  { timezone, now, sources }: { timezone: string; now: number; sources: readonly Watched[] },
): string {
  const customer = (source: string): string | null => sources.find(({ name }) => name === source)?.called ?? null;
  return tell(mainChange(message), { timezone, now, names: () => null, customer }).headline;
}

/** Wall time of an instant on an account's clock, which stops between sweeps. */
function wallTime(clock: number, { observedAt, snapshot }: Watched['state']): number | null {
  return observedAt === null || !('clock' in snapshot) ? null : observedAt + clock - snapshot.clock;
}

/**
 * Reason why people were not notified of an alert with these parts, and the time when they will be; null if they were.
 */
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
