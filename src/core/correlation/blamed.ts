/** Alerts whose cause has changed, for the log. */
import type { AccountAlert } from './account-alert.ts';
import type { Because } from '../alert/alert.ts';

/** The cause of a loss from now on: its first one, or another one than `before`. */
export interface Blamed {
  alert: number;
  because: Because;
  before: Because | null;
}

/**
 * One for each alert of `after` whose cause is new, or another one than before. The same cause with other numbers is not
 * listed.
 */
export function listNewlyBlamed(before: readonly AccountAlert[], after: readonly AccountAlert[]): Blamed[] {
  const known = new Map(before.map((alert) => [keyOf(alert), alert.because ?? null]));
  return after.flatMap((alert): Blamed[] => {
    const { number, because } = alert;
    if (because === undefined) return [];
    const was = known.get(keyOf(alert)) ?? null;
    return was !== null && isSame(was, because) ? [] : [{ alert: number, because, before: was }];
  });
}

function keyOf({ id, group }: AccountAlert): string {
  return `${id} ${group}`;
}

/** Compares causes without their numbers. */
function isSame(one: Because, other: Because): boolean {
  if (one.kind === 'named' && other.kind === 'named') {
    return one.domain.kind === other.domain.kind && one.domain.name === other.domain.name;
  }
  if (one.kind === 'explained' && other.kind === 'explained') return one.number === other.number;
  return one.kind === other.kind;
}
