/**
 * Somebody has an alert in hand: nobody is reminded of it any more, until it worsens. That is when it opens again, when
 * its severity rises, when a mass loss grows as people are told of it (it has doubled, or another site, model or the whole
 * account has joined), and when another source joins it.
 */
import type { ObservationPace } from '../account/drafts.ts';
import { isWorse } from '../transition/kind.ts';
import type { Acknowledgement, Alert } from './alert.ts';
import type { EnteredTransition } from './book.ts';

/**
 * Nobody has it any more once it has worsened. Both lists are in the same order; new alerts stand last, those too that
 * others have moved to.
 */
export function undoWhereWorse(
  before: readonly Alert[],
  after: readonly Alert[],
  entered: readonly (Pick<EnteredTransition, 'alert' | 'transition'> & { pace?: ObservationPace })[],
): void {
  for (const [index, alert] of after.entries()) {
    if (alert.acknowledged === undefined || alert.status === 'resolved') continue;
    const was = before[index];
    const hasRisen = was !== undefined && isWorse(alert.severity, was.severity);
    const hasGrown = entered.some(
      (one) => one.alert === alert && one.transition.kind === 'registration.mass' && one.pace !== 'later',
    );
    if (was?.status !== 'open' || hasRisen || hasGrown) delete alert.acknowledged;
  }
}

/** As much of an alert as tells whether it goes on by itself. */
type Acknowledgeable = Alert & { absorbedBy?: string };

/** Losses that go on in another alert are acknowledged there: their thread here has ended. */
function goesOnHere({ status, absorbedBy }: Acknowledgeable): boolean {
  return status === 'open' && absorbedBy === undefined;
}

/** What is open of an alert is acknowledged; what the same person has acknowledged in the same words stays as it is. */
export function takeInHand<A extends Acknowledgeable>(
  alerts: readonly A[],
  { alert, by, comment }: Pick<Acknowledgement, 'by' | 'comment'> & { alert: string },
  now: number,
): A[] {
  const isKnown = ({ acknowledged }: A): boolean => acknowledged?.by === by && acknowledged.comment === comment;
  const isMeant = (one: A): boolean => one.id === alert && goesOnHere(one) && !isKnown(one);
  return alerts.map((one) => (isMeant(one) ? { ...one, acknowledged: { by, comment, at: now } } : one));
}

/** Ends the acknowledgement of what is open of an alert. */
export function releaseAlert<A extends Acknowledgeable>(alerts: readonly A[], alert: string): A[] {
  return alerts.map((one) => {
    const { acknowledged, ...released } = one;
    return one.id === alert && goesOnHere(one) && acknowledged !== undefined ? (released as A) : one;
  });
}

/** Of all parts of an alert that are open: who has it; null where nobody has all of it. */
export function findAcknowledgement(parts: readonly Pick<Alert, 'acknowledged'>[]): Acknowledgement | null {
  const [first, ...others] = parts.map(({ acknowledged }) => acknowledged);
  return first === undefined || others.includes(undefined) ? null : first;
}
