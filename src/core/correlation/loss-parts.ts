/**
 * Losses of one account that are parts of one alert, each with a group of its own. People follow the alert: a further part
 * counts as growth, and is reported when it doubles the known losses.
 */
import type { ReportedPhones } from '../transition/details.ts';
import { isGoingOn, type AccountAlert, type AccountEntered } from './account-alert.ts';

/** By id of the alert: lost phones that its open parts have reported to people. */
export function countReportedLosses(alerts: readonly AccountAlert[]): Map<string, number> {
  const known = new Map<string, number>();
  for (const alert of alerts.filter(isGoingOn)) {
    const held = new Set(alert.held.map(({ transition }) => transition.subject));
    const reported = alert.subjects.filter((subject) => !held.has(subject)).length;
    known.set(alert.id, reported + (known.get(alert.id) ?? 0));
  }
  return known;
}

/** Counts of lost phones: reported before the step, by id of the alert, and lost in a part now. */
interface PartCounts {
  known: ReadonlyMap<string, number>;
  lostIn(part: AccountAlert): number;
}

/** Whether the loss of a phone is small enough to wait for more of them. */
export function isSmallPart(
  { transition, alert }: Pick<AccountEntered, 'transition' | 'alert'>,
  alerts: readonly AccountAlert[],
  { known, lostIn }: PartCounts,
): boolean {
  if (alert === null || transition.kind !== 'registration.lost') return false;
  const parts = alerts.filter((other) => other.id === alert.id && isGoingOn(other));
  const lost = parts.reduce((sum, part) => sum + lostIn(part), 0);
  return lost < 2 * (known.get(alert.id) ?? 0);
}

/** Adds the losses of the account that go on to the end of a loss. */
export function withRemaining(entered: AccountEntered, alerts: readonly AccountAlert[]): AccountEntered {
  const { alert: ended, status, transition } = entered;
  if (ended === null || status !== 'resolved' || transition.kind !== 'registration.restored') return entered;
  const { from, to, details } = transition;
  const phones = ended.phones?.most ?? 0;
  if (typeof from !== 'number' || typeof to !== 'number' || !('domain' in details)) return entered;
  if (phones === 0) return entered;
  const remaining = remainingBeside(ended, alerts);
  if (remaining.length === 0) return entered;
  return { ...entered, transition: { ...transition, from, to, details: { ...details, end: { phones, remaining } } } };
}

/** Other open losses of the account, one for each number. */
function remainingBeside(ended: AccountAlert, alerts: readonly AccountAlert[]): ReportedPhones[] {
  const others = alerts.filter((other) => other.id !== ended.id && isGoingOn(other) && other.subjects.length > 0);
  return [...Map.groupBy(others, ({ id }) => id)].flatMap(([alert, parts]) => {
    const [first] = parts;
    if (first === undefined) return [];
    const phones = new Set(parts.flatMap(({ subjects }) => subjects)).size;
    return [{ alert, number: first.number, phones }];
  });
}
