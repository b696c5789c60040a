/**
 * Acknowledgements: a person takes charge of an alert, and reminders stop until it worsens. An alert worsens when it opens
 * again, when its severity rises, when a mass loss grows enough to be reported (it has doubled, or another site, model or
 * the whole account has joined), and when another source joins it.
 */
import type { ObservationPace } from '../account/drafts.ts';
import { isWorse } from '../transition/kind.ts';
import type { Acknowledgement, Alert, EnteredTransition } from './alert.ts';

/**
 * Ends the acknowledgement of alerts that have worsened. Both lists are in the same order; new alerts come last, including
 * those that have taken over losses.
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

/** Fields that show whether an alert reports its losses itself. */
type Acknowledgeable = Alert & { absorbedBy?: string };

/** Losses that another alert reports are acknowledged there: their thread here has ended. */
export function isOpenHere({ status, absorbedBy }: Pick<Acknowledgeable, 'status' | 'absorbedBy'>): boolean {
  return status === 'open' && absorbedBy === undefined;
}

/** Acknowledges the open parts of an alert. Repeating it with the same person and comment changes nothing. */
export function takeInHand<A extends Acknowledgeable>(
  alerts: readonly A[],
  { alert, by, comment }: Pick<Acknowledgement, 'by' | 'comment'> & { alert: string },
  now: number,
): A[] {
  const isKnown = ({ acknowledged }: A): boolean => acknowledged?.by === by && acknowledged.comment === comment;
  const isMeant = (one: A): boolean => one.id === alert && isOpenHere(one) && !isKnown(one);
  return alerts.map((one) => (isMeant(one) ? { ...one, acknowledged: { by, comment, at: now } } : one));
}

/** Ends the acknowledgement of the open parts of an alert. */
export function releaseAlert<A extends Acknowledgeable>(alerts: readonly A[], alert: string): A[] {
  return alerts.map((one) => {
    const { acknowledged, ...released } = one;
    return one.id === alert && isOpenHere(one) && acknowledged !== undefined ? (released as A) : one;
  });
}

/** The acknowledgement that covers all open parts of an alert; null if a part has none. */
export function findAcknowledgement(parts: readonly Pick<Alert, 'acknowledged'>[]): Acknowledgement | null {
  const [first, ...others] = parts.map(({ acknowledged }) => acknowledged);
  return first === undefined || others.includes(undefined) ? null : first;
}
