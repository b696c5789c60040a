/** The next message about an alert, and its time. */
import { findByName } from '../transition/collections.ts';
import { type HeldReason, type ToPeople, explainNotTold } from '../correlation/notify-decision.ts';
import type { Alert } from '../alert/alert.ts';
import type { AccountState } from '../engine/account-kind.ts';
import type { SourceState } from '../engine/page-kind.ts';
import { findMainChange, describeChange } from '../wording/combine.ts';
import type { AccountSum } from './standing/account-sum.ts';
import type { WaitingMessage } from './story/story.ts';

interface NamedState {
  name: string;
  /** Name of an account for people. */
  called?: string;
  state: AccountState | AccountSum | SourceState;
}

/** Content of a waiting message, in one line. */
export function formatMessageHeadline(
  message: WaitingMessage,
  { timezone, now, sources }: { timezone: string; now: number; sources: readonly NamedState[] },
): string {
  const customer = (source: string): string | null => findByName(sources, source)?.called ?? null;
  return describeChange(findMainChange(message), { timezone, now, names: () => null, customer }).headline;
}

/** Wall time of an instant on an account's clock, which stops between sweeps. */
function wallTime(clock: number, { observedAt, snapshot }: NamedState['state']): number | null {
  return observedAt === null || !('clock' in snapshot) ? null : observedAt + clock - snapshot.clock;
}

/**
 * Reason why people were not notified of an alert with these parts, and the time when they will be; null if they were.
 */
export function explainWaitOfPeople(
  parts: readonly Alert[],
  { sources, toPeople }: { sources: readonly NamedState[]; toPeople?: (source: string) => ToPeople | null },
): HeldReason | null {
  const reasons = parts.map((part) => {
    const state = findByName(sources, part.source)?.state;
    return explainNotTold(part, toPeople?.(part.source) ?? null, (clock) =>
      state === undefined ? null : wallTime(clock, state),
    );
  });
  return reasons.every((reason) => reason !== null) ? (reasons[0] ?? null) : null;
}
